"""Runs the gate on teams' own challenges. The gate checks a challenge and its tests before the challenge can be published. A
node runs the gate for one challenge at a time, and the version that has waited longest goes first.
"""

import asyncio
import json
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.content.catalogue.service import CatalogueStore
from api.hiring.authoring.package_store import store_package
from api.hiring.authoring.schemas import GateReport
from api.hiring.authoring.service import files_of
from api.hiring.team_catalogue.models import IS_ASKED, OwnChallenge, OwnVersion
from api.judging.dispatch.connected_nodes import Node
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.dispatch.long_running_work import ATTEMPTS, NodeRun, NodeRuns
from api.kit.db.database import Database
from grader.content.authoring import author_files
from grader.contract import transport

NO_FILES = "the gate passed this version, but its files cannot be read"


@dataclass
class GateRun:
    """A version on which the gate runs. `version` consists of the challenge's ID and the number of its version."""

    team: str
    slug: str
    version: tuple[str, int]


class GateWorker(NodeRuns[GateRun]):
    """Assigns runs of the gate to nodes and stores their results."""

    heard = (transport.Proving, transport.Proved)
    # Nodes stop a run after 15 minutes, so this limit is reached only if a node does not report that.
    limit_s = 1200.0

    def __init__(self, db: Database, store: CatalogueStore, dispatcher: Dispatcher) -> None:
        super().__init__(db, dispatcher)
        self._store = store

    def fits(self, node: Node) -> bool:
        return node.hello.proves

    async def take(self, session: AsyncSession, node: Node, token: str) -> tuple[str, GateRun, transport.ToNode] | None:
        found = await _longest_waiting(session)
        if found is None:
            return None
        challenge, version = found
        version.gate, version.token, version.attempts = "running", token, version.attempts + 1
        run = GateRun(challenge.team_id, challenge.slug, (challenge.id, version.number))
        return challenge.id, run, transport.Prove(challenge.id, token, challenge.slug, files_of(version))

    async def running(self, session: AsyncSession) -> set[str]:
        query = select(OwnVersion.token).where(IS_ASKED, OwnVersion.gate == "running")
        return {token or "" for token in await session.scalars(query)}

    async def requeue(self, session: AsyncSession, tokens: Collection[str]) -> None:
        orphaned = update(OwnVersion).where(OwnVersion.token.in_(tokens), OwnVersion.gate == "running")
        await session.execute(orphaned.values(gate="waiting", token=None))

    async def lose(self, session: AsyncSession, token: str, reason: str) -> None:
        mine = update(OwnVersion).where(OwnVersion.token == token)
        await session.execute(mine.where(OwnVersion.attempts < ATTEMPTS).values(gate="waiting", token=None))
        failure = GateReport(fault=f"The gate failed {ATTEMPTS} times: {reason}.").model_dump_json()
        await session.execute(mine.values(gate="failed", token=None, report=failure))

    async def handle(self, run: NodeRun[GateRun], message: transport.OfGate) -> bool:
        if isinstance(message, transport.Proving):
            await self._set(message.token, judgings=message.judgings)
            return False
        await self._record_result(run.work, message)
        return True

    async def _record_result(self, run: GateRun, message: transport.Proved) -> None:
        """Store the gate's result. If the version passed, its package is first put into the catalogue store, because the
        version can be published as soon as the result is stored.
        """
        report = GateReport.model_validate(message.report)
        async with self._db.read() as session:
            files = await _files(session, message.token)
        if files is None:
            return
        written = {name: text for name, text in message.written.items() if name in author_files.WRITTEN}
        digest = ""
        if message.passed:
            whole = {**files, **written}
            digest = await asyncio.to_thread(store_package, self._store, run.team, run.slug, whole)
            report = report if digest else report.model_copy(update={"fault": NO_FILES})
        await self._set(
            message.token,
            gate="passed" if digest else "failed",
            files=json.dumps({**files, **written}),
            # A version that was published unproven keeps its package if it fails again.
            **({"digest": digest} if digest else {}),
            report=report.model_dump_json(),
            judgings=report.judgings,
            token=None,
        )

    async def _set(self, run_token: str, /, **values: object) -> None:
        async with self._db.write() as session:
            mine = update(OwnVersion).where(OwnVersion.token == run_token, OwnVersion.gate == "running")
            await session.execute(mine.values(**values))


async def _longest_waiting(session: AsyncSession) -> tuple[OwnChallenge, OwnVersion] | None:
    query = select(OwnChallenge, OwnVersion).join(OwnVersion, OwnVersion.challenge_id == OwnChallenge.id)
    query = query.where(IS_ASKED, OwnVersion.gate == "waiting").order_by(OwnVersion.asked_at).limit(1)
    query = query.options(undefer(OwnVersion.files)).with_for_update(skip_locked=True, of=OwnVersion)
    row = (await session.execute(query)).one_or_none()
    return (row[0], row[1]) if row else None


async def _files(session: AsyncSession, token: str) -> dict[str, str] | None:
    query = select(OwnVersion).where(OwnVersion.token == token).options(undefer(OwnVersion.files))
    version: OwnVersion | None = await session.scalar(query)
    return files_of(version) if version is not None else None
