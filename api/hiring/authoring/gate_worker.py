"""Runs the gate on teams' own challenges. The gate checks a challenge and its tests before the challenge can be published. A
node runs the gate for one challenge at a time, and the version that has waited longest goes first. The queue is in SQL, so no
queued version is lost if the service restarts.
"""

import asyncio
import json
import secrets
import time
from dataclasses import dataclass

import structlog
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
from api.kit.db.database import Database
from api.kit.supervised_task import SupervisedTask, pause
from grader.content.authoring import author_files
from grader.contract import transport

log = structlog.get_logger()
ATTEMPTS = 3
# A run counts as lost after this many seconds. Nodes stop a run after 15 minutes, so this limit is reached only if a node does
# not report that.
RUN_LIMIT_S = 1200.0
NO_FILES = "the gate passed this version, but its files cannot be read"


@dataclass
class GateRun:
    """A run of the gate that was assigned to a node. `version` consists of the challenge's ID and the number of its version.
    `began` is the time at which the run was assigned, as a value of `time.monotonic()`.
    """

    node: Node
    team: str
    slug: str
    version: tuple[str, int]
    began: float


class GateWorker(SupervisedTask):
    """Assigns runs of the gate to nodes and stores their results."""

    def __init__(self, db: Database, store: CatalogueStore, dispatcher: Dispatcher) -> None:
        super().__init__(self._round)
        self._db, self._store, self._dispatcher = db, store, dispatcher
        self._runs: dict[str, GateRun] = {}
        dispatcher.on_gate = self.on_message

    async def _round(self) -> None:
        for token, run in list(self._runs.items()):
            if run.node not in self._dispatcher.nodes.all() or time.monotonic() - run.began > RUN_LIMIT_S:
                await self._retry_or_fail(token, "the node went away")
        await self._reconcile()
        busy = {run.node.name for run in self._runs.values()}
        for node in self._dispatcher.nodes.all():
            if node.hello.proves and node.size and node.name not in busy:
                await self._assign(node)
        await pause(self._dispatcher.settings.poll_s)

    async def on_message(self, node: Node, message: transport.OfGate) -> None:
        """Handle a node's message about a run. Messages about runs that are assigned to another node are ignored."""
        run = self._runs.get(message.token)
        if run is None or run.node is not node:
            return
        if isinstance(message, transport.Proving):
            await self._set(message.token, judgings=message.judgings)
            return
        if message.fault:
            log.error("gate_fault", node=node.name, challenge=run.version[0], reason=message.fault)
            await self._retry_or_fail(message.token, message.fault)
            return
        del self._runs[message.token]
        await self._record_result(run, message)

    async def _assign(self, node: Node) -> None:
        token = secrets.token_hex(12) + self._dispatcher.cluster.instance_id
        async with self._db.write() as session:
            found = await _longest_waiting(session)
            if found is None:
                return
            challenge, version = found
            version.gate, version.token, version.attempts = "running", token, version.attempts + 1
        run = GateRun(node, challenge.team_id, challenge.slug, (challenge.id, version.number), time.monotonic())
        self._runs[token] = run
        node.outbox.put_nowait(transport.Prove(challenge.id, token, challenge.slug, files_of(version)))

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

    async def _retry_or_fail(self, token: str, reason: str) -> None:
        """Requeue a run that ended without a result. After ATTEMPTS attempts, the version is marked as failed instead."""
        run = self._runs.pop(token)
        run.node.outbox.put_nowait(transport.Cancel(run.version[0], token))
        async with self._db.write() as session:
            mine = update(OwnVersion).where(OwnVersion.token == token)
            await session.execute(mine.where(OwnVersion.attempts < ATTEMPTS).values(gate="waiting", token=None))
            failure = GateReport(fault=f"The gate failed {ATTEMPTS} times: {reason}.").model_dump_json()
            await session.execute(mine.values(gate="failed", token=None, report=failure))

    async def _reconcile(self) -> None:
        """Requeue runs that another process of the service had assigned before it died. Cancel this process's runs of versions
        that were saved again in the meantime.
        """
        async with self._db.read() as session:
            query = select(OwnVersion.token).where(IS_ASKED, OwnVersion.gate == "running")
            running = set(await session.scalars(query))
        for token in self._runs.keys() - running:
            run = self._runs.pop(token)
            run.node.outbox.put_nowait(transport.Cancel(run.version[0], token))
        living = tuple(await self._dispatcher.cluster.alive() - {self._dispatcher.cluster.instance_id})
        lost = {token for token in running - self._runs.keys() if not (token or "").endswith(living)}
        if lost:
            async with self._db.write() as session:
                orphaned = update(OwnVersion).where(OwnVersion.token.in_(lost), OwnVersion.gate == "running")
                await session.execute(orphaned.values(gate="waiting", token=None))

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
