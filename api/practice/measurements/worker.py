"""Assigns measurements to nodes and stores their results.

The node that measured last for a board measures the next answers for it too, so that entries are comparable. Only if it has been
away for a while, another node takes over. If this is another kind of machine, its measurements begin a new board.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

import msgspec
import structlog
from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue, Challenge
from api.judging.dispatch.connected_nodes import Node
from api.judging.dispatch.long_running_work import ATTEMPTS, NodeRun, NodeRuns
from api.judging.submissions.models import Submission, SubmissionSource
from api.judging.submissions.packed_text import Unpacked
from api.kit.db.database import hold, now
from api.kit.db.insert_if_absent import insert_if_absent
from api.kit.ids import new_id
from api.practice.measurements import entries, queueing
from api.practice.measurements.answer_estimates import counts, estimate_of, flag_of, plan_digest, problem
from api.practice.measurements.models import (
    BASELINE,
    IS_RUNNING,
    IS_WAITING,
    Flag,
    Measurement,
    SpeedBoard,
    Status,
)
from grader.contract import transport
from grader.contract.measurement import NO_PAUSE, Measure, Measured, MeasurementPlan, Measuring
from grader.contract.measurement import Measurement as Result
from grader.contract.ranking import LEAST_NOISE

log = structlog.get_logger()
# Another node takes over a board if the board's node is not connected to this process and has measured nothing for this long.
AWAY = timedelta(minutes=2)
# A measurement whose run ended without a result waits this long for the next attempt, and twice as long for the third: a node
# may still be ending the run before.
RETRY = timedelta(seconds=15)
# How many waiting measurements are examined for one that a node may take.
EXAMINED = 50
CHANGED = "The way this challenge is measured has changed since. Submit your answer again to have it measured."
TOO_WIDE = "The times of your answer vary too much from call to call to be compared."


@dataclass
class Asked:
    """A measurement that a node runs."""

    measurement_id: str
    plan: MeasurementPlan


class MeasurementWorker(NodeRuns[Asked]):
    """Assigns measurements to nodes and stores their results."""

    heard = (Measuring, Measured)
    # A measurement of 30 seconds, which submissions interrupt, takes this long at most.
    limit_s = 900.0

    def fits(self, node: Node) -> bool:
        return node.hello.measures

    async def prepare(self) -> None:
        await queueing.digest_codes(self._db)

    async def take(self, session: AsyncSession, node: Node, token: str) -> tuple[str, Asked, transport.ToNode] | None:
        ready = or_(Measurement.attempts == 0, Measurement.rank_at <= now())
        query = select(Measurement).where(IS_WAITING, Measurement.code != "", ready).limit(EXAMINED)
        query = query.order_by(Measurement.rank_at, Measurement.id).with_for_update(skip_locked=True)
        for row in await session.scalars(query):
            challenge = self._catalogue.by_slug.get(row.slug)
            plan = challenge.scored.plan if challenge and challenge.scored else None
            if challenge is None or plan is None or plan_digest(plan) != row.plan:
                row.status, row.reason, row.ended_at = Status.CANCELLED, CHANGED, now()
            elif await self._may_take(session, node, row):
                row.status, row.token, row.node = Status.RUNNING, token, node.name
                row.attempts, row.pairs, row.half_width = row.attempts + 1, 0, None
                source, digest = await _source(session, row, challenge)
                # An earlier version of the challenge may no longer be stored.
                digest = digest if self._dispatcher.store.version(digest) else challenge.package.digest
                seed = self._dispatcher.seeds.of(row.id)
                message = Measure(row.id, token, row.slug, digest, "", source, seed, plan)
                return row.id, Asked(row.id, plan), message
        return None

    async def running(self, session: AsyncSession) -> set[str]:
        return {token or "" for token in await session.scalars(select(Measurement.token).where(IS_RUNNING))}

    async def requeue(self, session: AsyncSession, tokens: Collection[str]) -> None:
        orphaned = update(Measurement).where(Measurement.token.in_(tokens), IS_RUNNING)
        await session.execute(orphaned.values(status=Status.WAITING, token=None))

    async def lose(self, session: AsyncSession, token: str, reason: str) -> None:
        row = await session.scalar(select(Measurement).where(Measurement.token == token, IS_RUNNING).with_for_update())
        if row is None:
            return
        row.token, row.fault, row.rank_at = None, reason, now() + row.attempts * RETRY
        if reason == NO_PAUSE:
            row.attempts -= 1
        row.status = Status.WAITING if row.attempts < ATTEMPTS else Status.FAULT
        if row.status == Status.FAULT:
            row.ended_at = now()
            log.error("measurement_failed", measurement=row.id, challenge=row.slug, reason=reason)
            await session.flush()
            await self._refresh(session, row)

    async def handle(self, run: NodeRun[Asked], message: transport.OfMeasurement) -> bool:
        if isinstance(message, Measuring):
            width = message.half_width if message.half_width is not None and math.isfinite(message.half_width) else None
            async with self._db.write() as session:
                mine = update(Measurement).where(Measurement.token == message.token, IS_RUNNING)
                await session.execute(mine.values(pairs=message.pairs, half_width=width))
            return False
        result = message.measurement
        wrong = "the node sent no result and no reason" if result is None and not message.message else ""
        if result is not None:
            wrong = problem(result, run.work.plan)
        async with self._db.write() as session:
            if wrong:
                await self.lose(session, message.token, wrong)
                return True
            query = select(Measurement).where(Measurement.token == message.token, IS_RUNNING).with_for_update()
            row: Measurement | None = await session.scalar(query)
            if row is None:
                return True
            row.token, row.ended_at = None, now()
            if result is None:
                row.status, row.reason = Status.FAILED, message.message
                await session.flush()
                await self._refresh(session, row)
            else:
                await self._record(session, row, result, run)
        return True

    @property
    def _catalogue(self) -> Catalogue:
        return self._dispatcher.store.catalogue

    async def _may_take(self, session: AsyncSession, node: Node, row: Measurement) -> bool:
        """Return whether a node may take a measurement: it is the one that measures for its board, or that one is away."""
        if row.wanted_board_id is not None:
            board = await session.get(SpeedBoard, row.wanted_board_id)
        else:
            board = await queueing.current_board(session, row.slug, row.plan)
        if board is None or board.node == node.name:
            return True
        if any(other.name == board.node and other.hello.measures for other in self._dispatcher.nodes.all()):
            return False
        recent = now() - AWAY
        busy = select(Measurement.id).where(Measurement.node == board.node, IS_RUNNING).limit(1)
        return row.rank_at < recent and board.measured_at < recent and await session.scalar(busy) is None

    async def _record(self, session: AsyncSession, row: Measurement, result: Result, run: NodeRun[Asked]) -> None:
        board, is_new = await _board(session, row, result, run)
        row.status, row.board_id = Status.MEASURED, board.id
        row.log_ratio, row.std_error, row.pairs = result.log_ratio, result.std_error, result.pairs
        row.result = Unpacked(msgspec.json.encode(result).decode())
        await hold(session, f"speed board {board.id}")
        earlier = select(Measurement).where(
            Measurement.account_id == row.account_id, Measurement.board_id == board.id, Measurement.code == row.code
        )
        estimates = [
            estimate_of(each) for each in await session.scalars(earlier.where(Measurement.id != row.id)) if counts(each)
        ]
        # The challenge's own answers belong to nobody, so nobody would review them.
        row.flag = flag_of(result, estimates if row.account_id else (), board.noise)
        row.reason = {Flag.SHARED: result.shared, Flag.WIDE: TOO_WIDE}.get(Flag(row.flag), "") if row.flag else ""
        log.info("measured", measurement=row.id, challenge=row.slug, node=run.node.name, flag=row.flag, pairs=row.pairs)
        await session.flush()
        if row.role == BASELINE:
            await entries.update_noise(session, board)
        if is_new:
            await queueing.ask_house(session, board, self._catalogue)
        await self._refresh(session, row)

    async def _refresh(self, session: AsyncSession, row: Measurement) -> None:
        for board_id in sorted({row.board_id or "", row.wanted_board_id or ""} - {""}):
            board = await session.get(SpeedBoard, board_id)
            if board is not None and row.account_id is not None:
                await entries.refresh(session, board, row.account_id)
            if board is not None:
                await entries.confirm_top(session, board)


async def _source(session: AsyncSession, row: Measurement, challenge: Challenge) -> tuple[str, str]:
    """Return the source that a measurement measures, and the digest of its version of the challenge."""
    if row.submission_id is None:
        assert challenge.scored is not None
        return challenge.scored.known.get(row.role, challenge.scored.known[BASELINE]), challenge.package.digest
    query = select(SubmissionSource.source, Submission.digest).join(
        Submission, Submission.id == SubmissionSource.submission_id
    )
    source, digest = (await session.execute(query.where(Submission.id == row.submission_id))).one()
    return source, digest


async def _board(
    session: AsyncSession, row: Measurement, result: Result, run: NodeRun[Asked]
) -> tuple[SpeedBoard, bool]:
    """Return the board on which a result counts, and whether it is new."""
    machine, moment = result.machine, now()
    key = {
        "slug": row.slug,
        "plan": row.plan,
        "cpu": machine.cpu[:200],
        "torch": machine.torch[:100],
        "runner": machine.runner[:200],
    }
    query = select(SpeedBoard).filter_by(**key)
    latest = {"gflops": machine.gflops, "gb_per_s": machine.gb_per_s, "node": run.node.name, "measured_at": moment}
    board: SpeedBoard | None = await session.scalar(query)
    if board is None:
        quantity = run.work.plan.quantity.value
        made = SpeedBoard(id=new_id(), **key, quantity=quantity, noise=LEAST_NOISE, created_at=moment, **latest)
        if await insert_if_absent(session, made):
            return made, True
        board = (await session.scalars(query)).one()
    for name, value in latest.items():
        setattr(board, name, value)
    return board, False
