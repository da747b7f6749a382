"""Tells how far the measurements of an account are, and what became of its answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.practice.measurements.answer_estimates import Answer, Estimate, answers
from api.practice.measurements.models import IS_WAITING, WITHDRAWN, Flag, Measurement, SpeedBoard, SpeedEntry, Status
from api.practice.measurements.queueing import UNDER_WAY
from api.practice.speed_boards.ranks import Place, SpeedRanks
from api.practice.speed_boards.schemas import MeasurementView, State, interval_view

NOT_REPEATED = "Its measurements did not count. Submit it again to have it measured again."
OF_MACHINE = "The machine was too busy each time. Submit your answer again to have it measured again."
# The states of answers without a result.
STATES: dict[str, State] = {
    Status.WAITING: "waiting",
    Status.RUNNING: "running",
    Status.FAILED: "failed",
    Status.FAULT: "fault",
    Status.CANCELLED: "cancelled",
}


@dataclass
class BoardProgress:
    """An account's answers on a board, by their code, its entry, and the number of all entries."""

    board: SpeedBoard
    answers: dict[str, Answer]
    place: Place | None
    total: int


@dataclass
class ChallengeProgress:
    """All measurements of an account for a challenge, newest first. Boards are read when they are needed. `known` has the
    account's places and the numbers of all entries that were read before, by board.
    """

    ranks: SpeedRanks
    account_id: str
    rows: Sequence[Measurement]
    known: dict[str, tuple[Place | None, int]] = field(default_factory=dict)
    _boards: dict[str, BoardProgress] = field(default_factory=dict)

    async def view(self, row: Measurement) -> MeasurementView:
        """Return how far a measurement is. For a submission whose code was sent before, this is the earlier measurement."""
        submission_id, asked_at = row.submission_id or "", row.asked_at
        if row.same_as_id is not None:
            row = next(each for each in self.rows if each.id == row.same_as_id)
        view = MeasurementView(
            id=row.id,
            submission_id=submission_id,
            slug=row.slug,
            state=STATES.get(row.status, "fault"),
            position=await _position(self.ranks.session, row),
            pairs=row.pairs,
            half_width=row.half_width,
            interval=None,
            rank=None,
            total=0,
            reason=row.reason,
            board_id=row.board_id,
            asked_at=asked_at,
            ended_at=row.ended_at,
        )
        if row.status == Status.MEASURED and row.board_id is not None:
            await self._describe_answer(view, row, await self._on(row.board_id))
        return view

    async def _on(self, board_id: str) -> BoardProgress:
        if board_id not in self._boards:
            mine = [
                row
                for row in reversed(self.rows)
                if board_id in (row.board_id, row.wanted_board_id) and row.status not in (Status.CANCELLED, Status.SAME)
            ]
            if board_id not in self.known:
                place = await self.ranks.of_account(board_id, self.account_id)
                self.known[board_id] = place, await self.ranks.size(board_id)
            self._boards[board_id] = BoardProgress(
                await self.ranks.session.get_one(SpeedBoard, board_id),
                {answer.first.code: answer for answer in answers(board_id, mine)},
                *self.known[board_id],
            )
        return self._boards[board_id]

    async def _describe_answer(self, view: MeasurementView, row: Measurement, here: BoardProgress) -> None:
        answer, place = here.answers[row.code], here.place
        view.id, view.total = answer.first.id, here.total
        entry = place.entry if place is not None and place.entry.measurement_id == answer.first.id else None
        view.state, view.reason = state_of(answer, place.entry if place else None)
        # A measurement may have ended after `answer` was read, so the interval of an entry comes from the entry, as its state
        # does.
        estimate = Estimate(entry.log_ratio, entry.std_error) if entry else answer.estimate or _last_estimate(answer)
        view.interval = interval_view(estimate.interval(here.board.noise)) if estimate else None
        view.rank = place.rank if place is not None and view.state == "ranked" else None
        running = next((each for each in answer.rows if each.status in UNDER_WAY), None)
        if running is not None:
            view.pairs, view.half_width = running.pairs, running.half_width
            view.position = await _position(self.ranks.session, running)


async def progress_of(ranks: SpeedRanks, account_id: str, slug: str) -> ChallengeProgress:
    """Read all measurements of an account for a challenge."""
    query = select(Measurement).where(Measurement.account_id == account_id, Measurement.slug == slug)
    rows = (await ranks.session.scalars(query.order_by(Measurement.id.desc()))).all()
    return ChallengeProgress(ranks, account_id, rows)


async def of_submission(ranks: SpeedRanks, submission_id: str) -> MeasurementView | None:
    """Return the measurement of a submission, or None."""
    # A confirmation is shown as a part of the measurement that it confirms.
    query = select(Measurement).where(Measurement.submission_id == submission_id, Measurement.wanted_board_id.is_(None))
    row = await ranks.session.scalar(query.order_by(Measurement.id.desc()).limit(1))
    if row is None or row.account_id is None:
        return None
    return await (await progress_of(ranks, row.account_id, row.slug)).view(row)


async def answer_of(session: AsyncSession, row: Measurement) -> Answer:
    """Return the answer that a measurement belongs to, with all its measurements on the same board."""
    query = select(Measurement).where(
        Measurement.code == row.code,
        or_(Measurement.board_id == row.board_id, Measurement.wanted_board_id == row.board_id),
        Measurement.status.not_in((Status.CANCELLED, Status.SAME)),
        Measurement.role == row.role,
    )
    owner = Measurement.account_id == row.account_id if row.account_id else Measurement.account_id.is_(None)
    found = answers(row.board_id or "", await session.scalars(query.where(owner).order_by(Measurement.id)))
    return found[0]


def state_of(answer: Answer, entry: SpeedEntry | None) -> tuple[State, str]:
    """Return the state of a measured answer, and the reason for it. `entry` is its account's entry on the board."""
    rows = answer.rows
    if withdrawn := next((row for row in rows if row.review == WITHDRAWN), None):
        return "withdrawn", withdrawn.review_reason
    if failed := next((row for row in rows if row.status == Status.FAILED), None):
        return "failed", failed.reason
    if answer.refused:
        return "flagged", ""
    if entry is not None and entry.measurement_id == answer.first.id:
        return ("confirming" if entry.confirming else "ranked"), ""
    if answer.pending:
        return ("confirming" if answer.counted else "waiting"), ""
    if entry is not None and answer.counted:
        return "beaten", ""
    flagged = next((row for row in reversed(rows) if row.flag), None)
    if flagged is not None and flagged.flag == Flag.WIDE:
        return "not_ranked", flagged.reason
    shared = flagged is not None and flagged.flag == Flag.SHARED
    return "not_ranked", OF_MACHINE if shared else NOT_REPEATED


def _last_estimate(answer: Answer) -> Estimate | None:
    """Return what an answer without a place was measured at last."""
    measured = [row for row in answer.rows if row.log_ratio is not None and row.std_error is not None]
    return Estimate(measured[-1].log_ratio or 0.0, measured[-1].std_error or 0.0) if measured else None


async def _position(session: AsyncSession, row: Measurement) -> int | None:
    if row.status != Status.WAITING:
        return None
    earlier: ColumnElement[bool] = or_(
        Measurement.rank_at < row.rank_at, and_(Measurement.rank_at == row.rank_at, Measurement.id < row.id)
    )
    return 1 + (await session.scalar(select(func.count()).where(IS_WAITING, earlier)) or 0)
