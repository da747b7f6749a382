"""Removes data that is old. From judgements, it removes details and keeps the rows; of some other tables, it deletes whole rows
that nothing needs any more. Without it, nine tenths of the database would be the output of old submissions and the names of
their tests.

The verdict, points, time and message of every test are kept as long as the account exists.
"""

from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, bindparam, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.hiring.participations.models import ParticipationItem
from api.hiring.teams.models import TeamLogEntry
from api.hiring.webhooks.models import TeamEvent
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.identity.audit.models import AuditEntry
from api.judging.submissions.models import IS_WHOLE, TABLE, Judging
from api.judging.submissions.packed_text import Unpacked
from api.kit.db.database import Database, delete_some, now
from api.kit.ids import first_id
from api.practice.cards.models import CardReview
from api.practice.quizzes.models import QuizAttempt
from api.practice.running_interviews.models import InterviewItem
from api.settings import Settings
from grader.contract.job import Judgement

# Maximum number of rows of one kind that are changed in one transaction, so that other writers do not wait long.
AT_ONCE = 200
GONE = "(It was kept for {days} days.)"
THIN = (
    update(TABLE)
    .where(TABLE.c.id == bindparam("judged"))
    .values(judgement=bindparam("kept", type_=TABLE.c.judgement.type), thinned=True)
)


async def thin(db: Database, settings: Settings) -> bool:
    """Remove old data, at most `AT_ONCE` rows of each kind. Returns whether there may be more to remove."""
    moment = now()
    counts = [await _judgements(db, settings.judgement_days, moment)]
    async with db.write() as session:
        counts += [
            await _older(session, AuditEntry, settings.audit_days, moment),
            await _older(session, TeamLogEntry, settings.audit_days, moment),
            await _older(session, TeamEvent, settings.team_event_days, moment, ~TeamEvent.unsettled),
            await _older(session, CardReview, settings.card_review_days, moment),
            await _older(session, QuizAttempt, settings.quiz_attempt_days, moment, _superseded()),
        ]
    return max(counts) >= AT_ONCE


def thinned(stored: str, days: int) -> Unpacked:
    """Return a judgement (JSON) without its output and without its exhibits (pictures that tests drew). Where there was output,
    a note says for how many days it was kept.
    """
    judgement, gone = msgspec.json.decode(stored, type=Judgement), GONE.format(days=days)
    tests = tuple(
        msgspec.structs.replace(
            test, exhibits=(), stdout=gone if test.stdout or (test.sample and test.exhibits) else ""
        )
        for test in judgement.tests
    )
    less = msgspec.structs.replace(judgement, tests=tests, output=gone if judgement.output else "")
    return Unpacked(msgspec.json.encode(less).decode())


async def _judgements(db: Database, days: int, moment: datetime) -> int:
    """Remove output and exhibits from old judgements, except those of candidates. The judgements of a candidate stay complete
    until the candidate is erased, after the retention period that the team has set.
    """
    old = (
        select(Judging.id, Judging.judgement)
        .join(Account, Account.id == Judging.account_id)
        .where(IS_WHOLE, Judging.ended_at < moment - timedelta(days=days), Account.role != candidates.ROLE)
        .order_by(Judging.ended_at)
    )
    async with db.read() as session:
        found = (await session.execute(old.limit(AT_ONCE))).all()
    less = [{"judged": row.id, "kept": thinned(row.judgement, days)} for row in found]
    if less:
        async with db.write() as session:
            await session.execute(THIN, less)
    return len(less)


async def _older(
    session: AsyncSession, table: type, days: int, moment: datetime, also: ColumnElement[bool] | None = None
) -> int:
    """Delete rows that are older than this many days and meet the condition `also`, if one is given. The age of a row is taken
    from its id, which begins with the time of creation.
    """
    made = getattr(table, "id") < first_id(moment - timedelta(days=days))  # noqa: B009 (every one of these has it)
    return await delete_some(session, table, made if also is None else made & also, AT_ONCE)


def _superseded() -> ColumnElement[bool]:
    """Build the condition for quiz attempts that nothing needs any more. The account has finished a later attempt at the same
    topic, this attempt did not get full marks, and it belongs to no interview and no assessment.
    """
    later = aliased(QuizAttempt)
    again = select(later.id).where(
        later.account_id == QuizAttempt.account_id,
        later.topic == QuizAttempt.topic,
        later.id > QuizAttempt.id,
        later.ended_at.is_not(None),
    )
    used = [
        select(item.attempt_id).where(item.attempt_id == QuizAttempt.id) for item in (InterviewItem, ParticipationItem)
    ]
    return (
        again.exists()
        & or_(QuizAttempt.ended_at.is_(None), QuizAttempt.points < QuizAttempt.max_points)
        & ~or_(*(item.exists() for item in used))
    )
