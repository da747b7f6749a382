"""Queues measurements: of accepted answers, and of the challenge's own answers, which every board measures for comparison."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import CatalogueStore
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.judging.submissions.models import Judging, Submission, SubmissionSource
from api.kit.db.database import Database, now
from api.kit.ids import new_id
from api.practice.measurements import entries
from api.practice.measurements.answer_estimates import code_digest, plan_digest
from api.practice.measurements.models import (
    BASELINE,
    BEST,
    IS_WAITING,
    LIBRARY,
    Flag,
    Measurement,
    SpeedBoard,
    Status,
)
from api.practice.running_interviews.models import Interview, InterviewItem
from grader.contract.job import Verdict

# Each measurement that an account has requested within the last hour moves its next one back by this much, so that nobody can
# keep the nodes busy while others wait.
SPACING, WITHIN = timedelta(minutes=1), timedelta(hours=1)
# How often each of the challenge's own answers is measured on a new board. The baseline is measured several times, because the
# scatter of these measurements is the noise floor.
HOUSE = {BASELINE: 4, LIBRARY: 2, BEST: 2}
AT_ONCE = 20
NO_LONGER_ACCEPTED = "Your answer was judged again and is no longer accepted."
# Measurements in these states can stand for another submission with the same code.
UNDER_WAY = (Status.WAITING, Status.RUNNING)


@dataclass(frozen=True)
class MeasurementQueue:
    """Queues a measurement whenever an answer to a scored challenge is accepted."""

    store: CatalogueStore

    async def judged(self, session: AsyncSession, rows: Sequence[Judging]) -> None:
        """Queue measurements of the accepted answers among these judged rows, and cancel those of answers that are no longer
        accepted. Call this in the transaction that stores the judgements, after the solves were updated.
        """
        plans = plans_of(self.store.catalogue)
        some = [row for row in rows if row.slug in plans]
        accepted = [row.submission_id for row in some if row.verdict == Verdict.AC]
        rejected = [row.submission_id for row in some if row.number > 1 and row.verdict not in (Verdict.AC, Verdict.JE)]
        if rejected:
            await _cancel(session, rejected)
        if not accepted:
            return
        moment = now()
        query = select(Submission.id, Submission.account_id, Submission.slug).where(
            Submission.id.in_(accepted), ~_in_an_interview(), ~_is_asked()
        )
        query = query.join(Account, Account.id == Submission.account_id).where(
            Account.role.not_in(candidates.PASSING), Account.ban.is_(None)
        )
        for submission_id, account_id, slug in list(await session.execute(query)):
            lately = (Measurement.account_id == account_id, Measurement.asked_at > moment - WITHIN)
            count = await session.scalar(select(func.count()).where(*lately)) or 0
            session.add(
                Measurement(
                    id=new_id(),
                    account_id=account_id,
                    submission_id=submission_id,
                    slug=slug,
                    plan=plans[slug],
                    status=Status.WAITING,
                    rank_at=moment + count * SPACING,
                    asked_at=moment,
                )
            )
        await session.flush()


def plans_of(catalogue: Catalogue) -> dict[str, str]:
    """Return the digests of the measurement plans of all scored challenges, by slug."""
    scored = ((slug, each.scored) for slug, each in catalogue.by_slug.items())
    return {slug: plan_digest(each.plan) for slug, each in scored if each is not None}


async def current_board(session: AsyncSession, slug: str, plan: str) -> SpeedBoard | None:
    """Return the board on which answers to a challenge are measured at present, or None if there is none yet."""
    query = select(SpeedBoard).where(SpeedBoard.slug == slug, SpeedBoard.plan == plan)
    board: SpeedBoard | None = await session.scalar(query.order_by(SpeedBoard.measured_at.desc()).limit(1))
    return board


async def digest_codes(db: Database) -> None:
    """Compute the digests of waiting answers. An answer whose code the account has sent before gets the measurement of the
    earlier one.
    """
    async with db.read() as session:
        query = select(Measurement.id, SubmissionSource.source).where(IS_WAITING, Measurement.code == "")
        query = query.join(SubmissionSource, SubmissionSource.submission_id == Measurement.submission_id)
        found = list(await session.execute(query.order_by(Measurement.id).limit(AT_ONCE)))
    if not found:
        return
    digests = [(name, await asyncio.to_thread(code_digest, source)) for name, source in found]
    async with db.write() as session:
        for name, code in digests:
            row = await session.get(Measurement, name, with_for_update=True)
            if row is None or row.code or row.status != Status.WAITING:
                continue
            row.code = code
            if first := await _earlier(session, row):
                row.status, row.same_as_id, row.ended_at = Status.SAME, first, now()
            await session.flush()


async def ask_house(session: AsyncSession, board: SpeedBoard, catalogue: Catalogue) -> None:
    """Queue measurements of the challenge's own answers for a new board."""
    challenge = catalogue.by_slug.get(board.slug)
    known = challenge.scored.known if challenge and challenge.scored else {}
    moment = now()
    for role, times in HOUSE.items():
        for _ in range(times if role in known else 0):
            session.add(
                Measurement(
                    id=new_id(),
                    slug=board.slug,
                    plan=board.plan,
                    role=role,
                    code=code_digest(known[role]),
                    status=Status.WAITING,
                    rank_at=moment,
                    asked_at=moment,
                    wanted_board_id=board.id,
                )
            )
    await session.flush()


async def _earlier(session: AsyncSession, row: Measurement) -> str | None:
    """Return the ID of an earlier measurement that stands for this one too, or None."""
    board = await current_board(session, row.slug, row.plan)
    measured = (Measurement.status == Status.MEASURED) & Measurement.flag.not_in((Flag.SHARED, Flag.WIDE))
    usable: ColumnElement[bool] = Measurement.status.in_(UNDER_WAY)
    if board is not None:
        usable |= measured & (Measurement.board_id == board.id)
    query = select(Measurement.id).where(
        Measurement.account_id == row.account_id,
        Measurement.slug == row.slug,
        Measurement.code == row.code,
        Measurement.plan == row.plan,
        Measurement.id < row.id,
        usable,
    )
    found: str | None = await session.scalar(query.order_by(Measurement.id).limit(1))
    return found


async def _cancel(session: AsyncSession, submissions: Sequence[str]) -> None:
    """Cancel the measurements of submissions, and recompute the entries of their accounts."""
    these = Measurement.submission_id.in_(submissions)
    query = (
        select(Measurement.board_id, Measurement.account_id).where(these, Measurement.board_id.is_not(None)).distinct()
    )
    affected = list(await session.execute(query))
    ended = {"status": Status.CANCELLED, "token": None, "reason": NO_LONGER_ACCEPTED, "ended_at": now()}
    await session.execute(update(Measurement).where(these).values(**ended).execution_options(synchronize_session=False))
    session.expire_all()
    for board_id, account_id in affected:
        board = await session.get(SpeedBoard, board_id)
        if board is not None and account_id is not None:
            await entries.refresh(session, board, account_id)
            await entries.confirm_top(session, board)


def _in_an_interview() -> ColumnElement[bool]:
    """Build the condition that a submission was sent in a mock interview that asked for its challenge."""
    return exists().where(
        Interview.account_id == Submission.account_id,
        Interview.started_at <= Submission.created_at,
        func.coalesce(Interview.ended_at, Interview.deadline) >= Submission.created_at,
        InterviewItem.interview_id == Interview.id,
        InterviewItem.kind == "challenge",
        InterviewItem.name == Submission.slug,
    )


def _is_asked() -> ColumnElement[bool]:
    """Build the condition that a submission has a measurement already, as after a rejudge that changes nothing."""
    other = aliased(Measurement)
    there = (Status.WAITING, Status.RUNNING, Status.MEASURED, Status.SAME, Status.FAILED)
    return exists().where(other.submission_id == Submission.id, other.status.in_(there))
