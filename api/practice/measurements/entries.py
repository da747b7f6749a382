"""Derives entries from measurements. An entry is an account's best measured answer on a board.

The best answer is the one whose interval has the highest lower end: a wide interval is no advantage. An answer that would be
among the first places is measured again, with other inputs, before it gets its place. Until then, the account keeps the place of
its best other answer.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.kit.db.database import hold, now
from api.kit.ids import new_id
from api.practice.leaderboards import scoring
from api.practice.leaderboards.models import Solve
from api.practice.measurements.answer_estimates import (
    CONFIRMED,
    TOP,
    Answer,
    Estimate,
    answers,
    combined,
    counts,
    estimate_of,
)
from api.practice.measurements.models import (
    BASELINE,
    IS_LISTED,
    Flag,
    Measurement,
    SpeedBoard,
    SpeedEntry,
    Status,
)
from grader.contract.ranking import Interval, noise_floor

# A measurement on a busy machine is repeated, at most until there are this many measurements of the answer.
TRIES_ON_A_BUSY_MACHINE = 3
# The maximum number of entries that are checked for confirmation after a change of a board.
CHECKED = 50
# Entries are shown and hidden with the account's solves.
scoring.SHOWN_WITH_ACCOUNT.append(SpeedEntry)


async def refresh(session: AsyncSession, board: SpeedBoard, account_id: str) -> None:
    """Recompute an account's entry on a board, and queue the measurements that are missing."""
    await hold(session, f"speed board {board.id}")
    found = await answers_of(session, board.id, account_id)
    for answer in found:
        await _repeat_on_a_busy_machine(session, answer)
    usable = [(answer, estimate, estimate.interval(board.noise)) for answer in found if (estimate := answer.estimate)]
    usable.sort(key=lambda each: each[2].low, reverse=True)
    bound = await top_bound(session, board.id, without=account_id)
    best: tuple[Answer, Estimate, Interval] | None = None
    unconfirmed: tuple[Answer, Estimate, Interval] | None = None
    for each in usable:
        answer, _, interval = each
        if len(answer.counted) >= CONFIRMED or (bound is not None and bound > interval.high):
            best = each
            break
        if unconfirmed is None and (answer.pending or answer.may_be_repeated):
            unconfirmed = each
            if not answer.pending:
                ask_again(session, answer)
    chosen = best or unconfirmed
    if chosen is None:
        mine = (SpeedEntry.board_id == board.id, SpeedEntry.account_id == account_id)
        await session.execute(delete(SpeedEntry).where(*mine))
        return
    answer, estimate, interval = chosen
    entry = SpeedEntry(
        board_id=board.id,
        account_id=account_id,
        measurement_id=answer.first.id,
        log_ratio=estimate.log_ratio,
        std_error=estimate.std_error,
        low=interval.low,
        high=interval.high,
        sessions=len(answer.counted),
        confirming=best is None,
        shown=bool(
            await session.scalar(select(Solve.shown).where(Solve.account_id == account_id, Solve.slug == board.slug))
        ),
        measured_at=answer.first.ended_at or now(),
    )
    await session.merge(entry)
    await session.flush()


async def confirm_top(session: AsyncSession, board: SpeedBoard) -> None:
    """Queue confirmations for entries that have reached the first places because others have left the board."""
    for entry in await _first_entries(session, board.id, SpeedEntry.sessions < CONFIRMED):
        await refresh(session, board, entry.account_id)


async def first_places(session: AsyncSession, board_id: str, *, not_measured_since: datetime) -> list[Answer]:
    """Return the answers of the first places that were last measured before this moment, without those that are being measured.
    Each of the first places was confirmed, so a newer answer has a confirmation since this moment.
    """
    first, again = aliased(Measurement), aliased(Measurement)
    measured_again = exists().where(
        first.id == SpeedEntry.measurement_id,
        again.account_id == SpeedEntry.account_id,
        again.wanted_board_id == board_id,
        again.code == first.code,
        again.asked_at >= not_measured_since,
    )
    found = [
        answer
        for entry in await _first_entries(session, board_id, ~measured_again)
        for answer in await answers_of(session, board_id, entry.account_id)
        if answer.first.id == entry.measurement_id
    ]
    return [answer for answer in found if not answer.pending]


async def top_bound(session: AsyncSession, board_id: str, without: str = "") -> float | None:
    """Return the value above which the upper end of an interval must lie to be among the first places: with `TOP` lower ends
    above it, its rank is behind them. None if the board has too few entries. The entry of the account `without` is left out.
    """
    query = select(SpeedEntry.low).where(SpeedEntry.board_id == board_id, IS_LISTED, SpeedEntry.account_id != without)
    bound: float | None = await session.scalar(query.order_by(SpeedEntry.low.desc()).offset(TOP - 1).limit(1))
    return bound


async def answers_of(session: AsyncSession, board_id: str, account_id: str) -> list[Answer]:
    """Return an account's answers on a board, with the measurements that wait or run for this board."""
    query = select(Measurement).where(
        Measurement.account_id == account_id,
        or_(Measurement.board_id == board_id, Measurement.wanted_board_id == board_id),
        Measurement.status.not_in((Status.CANCELLED, Status.SAME)),
    )
    return answers(board_id, await session.scalars(query.order_by(Measurement.id)))


async def house(session: AsyncSession, board_id: str) -> dict[str, tuple[Measurement, Estimate]]:
    """Return the last measurement and the estimate of each answer that the board measures for comparison, by its role."""
    query = select(Measurement).where(Measurement.board_id == board_id, Measurement.account_id.is_(None))
    rows = [row for row in await session.scalars(query.order_by(Measurement.id)) if counts(row)]
    # By role, because the authors may name the same answer twice.
    by_role = {role: [row for row in rows if row.role == role] for role in dict.fromkeys(row.role for row in rows)}
    return {role: (some[-1], combined([estimate_of(row) for row in some])) for role, some in by_role.items()}


async def update_noise(session: AsyncSession, board: SpeedBoard) -> None:
    """Recompute the noise floor of a board from the measurements of the baseline against itself, and with it all intervals."""
    query = select(Measurement).where(Measurement.board_id == board.id, Measurement.role == BASELINE)
    noise = noise_floor([estimate_of(row).log_ratio for row in await session.scalars(query) if counts(row)])
    if noise == board.noise:
        return
    board.noise = noise
    for entry in await session.scalars(select(SpeedEntry).where(SpeedEntry.board_id == board.id)):
        interval = Estimate(entry.log_ratio, entry.std_error).interval(noise)
        entry.low, entry.high = interval.low, interval.high
    await session.flush()


def ask_again(session: AsyncSession, answer: Answer) -> None:
    """Queue another measurement of an answer, on the same board."""
    first = answer.first
    moment: datetime = now()
    session.add(
        Measurement(
            id=new_id(),
            account_id=first.account_id,
            submission_id=first.submission_id,
            slug=first.slug,
            plan=first.plan,
            role=first.role,
            code=first.code,
            status=Status.WAITING,
            rank_at=moment,
            asked_at=moment,
            wanted_board_id=answer.board_id,
        )
    )


async def _first_entries(
    session: AsyncSession, board_id: str, *conditions: ColumnElement[bool]
) -> Sequence[SpeedEntry]:
    """Return the entries among the first places that meet the conditions, in the order of the board and at most CHECKED."""
    query = select(SpeedEntry).where(SpeedEntry.board_id == board_id, IS_LISTED, *conditions)
    bound = await top_bound(session, board_id)
    if bound is not None:
        query = query.where(SpeedEntry.high >= bound)
    return (await session.scalars(query.order_by(SpeedEntry.high.desc()).limit(CHECKED))).all()


async def _repeat_on_a_busy_machine(session: AsyncSession, answer: Answer) -> None:
    if answer.rows[-1].flag == Flag.SHARED and len(answer.rows) < TRIES_ON_A_BUSY_MACHINE and answer.may_be_repeated:
        ask_again(session, answer)
        await session.flush()
