"""Runs of the gate: given to nodes one at a time each, the longest waiting first. SQL says who waits; a restart loses nothing."""

import asyncio
import json
import secrets
import time
from dataclasses import dataclass

import structlog
from msgspec.structs import replace
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.background import Keeper
from api.catalogue.service import Shelf, challenge_of
from api.db import Database
from api.judging.dispatcher import Dispatcher
from api.judging.nodes import Node
from api.own.models import IS_ASKED, OwnChallenge, OwnVersion
from api.own.schemas import GateReport
from api.own.service import files_of, name_of
from grader import authored, transport
from grader.errors import PackageError

log = structlog.get_logger()
ATTEMPTS = 3
# Longer than a node lets a run take.
LATE_S = 1200.0
NO_FILES = "the gate passed it, and its files cannot be read"


@dataclass
class Run:
    """A run that a node was given."""

    node: Node
    team: str
    slug: str
    version: tuple[str, int]
    began: float


class Prover(Keeper):
    """Started and stopped by the app."""

    def __init__(self, db: Database, shelf: Shelf, dispatcher: Dispatcher) -> None:
        super().__init__(self._round)
        self._db, self._shelf, self._dispatcher = db, shelf, dispatcher
        self._runs: dict[str, Run] = {}
        dispatcher.on_gate = self.heard

    async def _round(self) -> None:
        for token, run in list(self._runs.items()):
            if run.node not in self._dispatcher.nodes.all() or time.monotonic() - run.began > LATE_S:
                await self._lose(token, "the node went away")
        await self._forget_others()
        busy = {run.node.name for run in self._runs.values()}
        for node in self._dispatcher.nodes.all():
            if node.hello.proves and node.size and node.name not in busy:
                await self._give(node)
        await asyncio.sleep(self._dispatcher.settings.poll_s)

    async def heard(self, node: Node, message: transport.OfGate) -> None:
        """A node tells of a run; what it was not given, or was given to another since, changes nothing."""
        run = self._runs.get(message.token)
        if run is None or run.node is not node:
            return
        if isinstance(message, transport.Proving):
            await self._set(message.token, judgings=message.judgings)
            return
        if message.fault:
            log.error("gate_fault", node=node.name, challenge=run.version[0], reason=message.fault)
            await self._lose(message.token, message.fault)
            return
        del self._runs[message.token]
        await self._end(run, message)

    async def _give(self, node: Node) -> None:
        token = secrets.token_hex(12) + self._dispatcher.peers.mark
        async with self._db.write() as session:
            found = await _longest_waiting(session)
            if found is None:
                return
            challenge, version = found
            version.gate, version.token, version.attempts = "running", token, version.attempts + 1
        run = Run(node, challenge.team_id, challenge.slug, (challenge.id, version.number), time.monotonic())
        self._runs[token] = run
        node.outbox.put_nowait(transport.Prove(challenge.id, token, challenge.slug, files_of(version)))

    async def _end(self, run: Run, message: transport.Proved) -> None:
        """Write down what the gate found. What has passed is kept by its digest first: it may be published at once."""
        report = GateReport.model_validate(message.report)
        async with self._db.read() as session:
            files = await _files(session, message.token)
        if files is None:
            return
        written = {name: text for name, text in message.written.items() if name in authored.WRITTEN}
        digest = ""
        if message.passed:
            digest = await asyncio.to_thread(self._keep, run, {**files, **written})
            report = report if digest else report.model_copy(update={"fault": NO_FILES})
        await self._set(
            message.token,
            gate="passed" if digest else "failed",
            files=json.dumps({**files, **written}),
            digest=digest,
            report=report.model_dump_json(),
            judgings=report.judgings,
            token=None,
        )

    def _keep(self, run: Run, files: dict[str, str]) -> str:
        try:
            package = replace(authored.loaded(run.slug, files), slug=name_of(run.slug))
            challenge_of(package)
        except (PackageError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            log.error("proven_challenge_unreadable", challenge=run.version[0], reason=str(error)[:300])
            return ""
        self._shelf.kept.keep(package, run.team)
        return package.digest

    async def _lose(self, token: str, reason: str) -> None:
        """A run ended without a result: it waits again, unless it did so too often."""
        run = self._runs.pop(token)
        run.node.outbox.put_nowait(transport.Cancel(run.version[0], token))
        async with self._db.write() as session:
            mine = update(OwnVersion).where(OwnVersion.token == token)
            await session.execute(mine.where(OwnVersion.attempts < ATTEMPTS).values(gate="waiting", token=None))
            told = GateReport(fault=f"The gate could not look, {ATTEMPTS} times: {reason}.").model_dump_json()
            await session.execute(mine.values(gate="failed", token=None, report=told))

    async def _forget_others(self) -> None:
        """Runs of a process that lives no more wait again; runs whose files were saved anew are ended."""
        async with self._db.read() as session:
            query = select(OwnVersion.token).where(IS_ASKED, OwnVersion.gate == "running")
            running = set(await session.scalars(query))
        for token in self._runs.keys() - running:
            run = self._runs.pop(token)
            run.node.outbox.put_nowait(transport.Cancel(run.version[0], token))
        living = tuple(await self._dispatcher.peers.alive() - {self._dispatcher.peers.mark})
        lost = {token for token in running - self._runs.keys() if not (token or "").endswith(living)}
        if lost:
            async with self._db.write() as session:
                stray = update(OwnVersion).where(OwnVersion.token.in_(lost), OwnVersion.gate == "running")
                await session.execute(stray.values(gate="waiting", token=None))

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
