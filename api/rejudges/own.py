"""Rejudges of teams' own challenges: a newer version is tried on answers that count by an older one. Nothing counts until
somebody of the team has seen what it would change, and applies it: all at once, or not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments.models import Assessment
from api.catalogue.service import Shelf
from api.db import now
from api.errors import ApiError, TooManyRequests
from api.ids import new_id
from api.judging.models import Judging, Status
from api.own.models import OwnChallenge
from api.own.service import name_of, published
from api.participations import scores
from api.participations.models import Participation, ParticipationItem
from api.participations.schemas import ScoredItem
from api.participations.service import about
from api.rejudges import service
from api.rejudges.models import OwnRejudge, RejudgeItem, RejudgeOutcome
from api.rejudges.service import MADE, RejudgeEnded, RejudgeNotFound
from api.submissions.models import Submission
from api.teams.seats import Seat
from api.webhooks.events import happened
from grader.job import Kind, Verdict

A_DAY = 20
TRYING = "trying"
AT_ONCE = 200
GONE = "The challenge was deleted meanwhile."
# What our own fault ended says nothing about an answer: the earlier judging goes on to count.
SAYS_SOMETHING = (Judging.status == Status.JUDGED) & (Judging.verdict != Verdict.JE)


class NothingToRejudge(ApiError):
    """Every answer counts by the published version already."""

    status, code = 409, "nothing_to_rejudge"


class RejudgeNotReady(ApiError):
    """Not everything is judged yet."""

    status, code = 409, "rejudge_not_ready"


@dataclass(frozen=True)
class Target:
    """The published version, which answers would be judged on."""

    challenge: OwnChallenge
    number: int
    digest: str


async def target(session: AsyncSession, shelf: Shelf, challenge: OwnChallenge) -> Target | None:
    """The published version of a challenge; None without one."""
    found = await published(session, shelf, OwnChallenge.id == challenge.id)
    return Target(challenge, found[0][1].number, found[0][1].digest) if found else None


async def outdated(session: AsyncSession, wanted: Target) -> list[Any]:
    """Assessments of the team with finished answers that count by another version: id, name, people, submissions."""
    counts = func.count(Participation.id.distinct()), func.count()
    query = _outdated(wanted, Assessment.id, Assessment.name, *counts)
    return list(await session.execute(query.group_by(Assessment.id, Assessment.name).order_by(Assessment.id.desc())))


async def start(session: AsyncSession, seat: Seat, wanted: Target | None, assessments: Sequence[str]) -> OwnRejudge:
    """Have those answers judged on the published version. Raises `NothingToRejudge`, `AlreadyRejudging`, `TooManyRequests`."""
    if wanted is None:
        raise NothingToRejudge("No version is published. Publish the one that answers shall be judged on.")
    lately = OwnRejudge.team_id == seat.team.id, OwnRejudge.created_at > now() - timedelta(days=1)
    if (await session.scalar(select(func.count()).select_from(OwnRejudge).where(*lately)) or 0) >= A_DAY:
        raise TooManyRequests(f"A team begins {A_DAY} rejudges a day. Go on tomorrow.", retry_after_s=3600)
    row = OwnRejudge(
        id=new_id(),
        slug=name_of(wanted.challenge.slug),
        state=TRYING,
        reason="",
        created_at=now(),
        ended_at=None,
        team_id=seat.team.id,
        challenge_id=wanted.challenge.id,
        digest=wanted.digest,
        version=wanted.number,
        undecided=True,
        started_by=seat.account.id,
        ended_by=None,
    )
    chosen = _outdated(wanted, Judging.submission_id, Judging.verdict, Judging.score)
    chosen = chosen.where(Assessment.id.in_(assessments)).order_by(Judging.submission_id.desc()).limit(service.MOST)
    if not await service.open_with(session, row, chosen):
        raise NothingToRejudge(
            "No finished answer of these assessments counts by another version than the published one."
        )
    return row


def _outdated(wanted: Target, *shape: Any) -> Select[*tuple[Any, ...]]:
    query = select(*shape).select_from(Judging).join(Submission, Submission.id == Judging.submission_id)
    query = query.join(Participation, Participation.account_id == Submission.account_id)
    query = query.join(Assessment, Assessment.id == Participation.assessment_id)
    return query.where(
        Assessment.team_id == wanted.challenge.team_id,
        Participation.finished_at.is_not(None),
        Submission.slug == name_of(wanted.challenge.slug),
        Submission.kind == Kind.SUBMIT,
        ~Judging.superseded,
        Judging.status == Status.JUDGED,
        Judging.digest != wanted.digest,
    )


async def find(
    session: AsyncSession, challenge: OwnChallenge, rejudge_id: str, *, to_change: bool = False
) -> OwnRejudge:
    """A rejudge of this challenge, for this transaction alone if it is to be changed. Raises `RejudgeNotFound`."""
    query = select(OwnRejudge).where(OwnRejudge.id == rejudge_id, OwnRejudge.challenge_id == challenge.id)
    row: OwnRejudge | None = await session.scalar(query.with_for_update() if to_change else query)
    if row is None:
        raise RejudgeNotFound("This challenge has no rejudge with this id.")
    return row


async def still_trying(session: AsyncSession, rejudge_id: str) -> OwnRejudge | None:
    """The rejudge, held until the end of the transaction, if it is not over."""
    query = select(OwnRejudge).where(OwnRejudge.id == rejudge_id, OwnRejudge.state == TRYING)
    row: OwnRejudge | None = await session.scalar(query.with_for_update())
    return row


def close(row: OwnRejudge, state: str, reason: str = "", by: str | None = None) -> None:
    """It is decided, by somebody or by itself."""
    row.state, row.reason, row.undecided, row.ended_at, row.ended_by = state, reason, False, now(), by


async def weigh(session: AsyncSession, row: OwnRejudge) -> None:
    """Write down what would change for whom, once everything is judged."""
    await session.execute(delete(RejudgeOutcome).where(RejudgeOutcome.rejudge_id == row.id))
    of_people = select(Submission.account_id).join(RejudgeItem, RejudgeItem.submission_id == Submission.id)
    mine = Participation.account_id.in_(of_people.where(RejudgeItem.rejudge_id == row.id))
    people = list(await session.scalars(select(Participation).where(mine).order_by(Participation.id)))
    for first in range(0, len(people), AT_ONCE):
        await _weigh(session, row, people[first : first + AT_ONCE])


async def _weigh(session: AsyncSession, row: OwnRejudge, people: Sequence[Participation]) -> None:
    query = select(ParticipationItem).where(ParticipationItem.participation_id.in_([each.id for each in people]))
    items: dict[str, list[ParticipationItem]] = {each.id: [] for each in people}
    for item in await session.scalars(query.order_by(ParticipationItem.position)):
        items[item.participation_id].append(item)
    by_account = {each.account_id: items[each.id] for each in people}
    tried = select(Judging).join(RejudgeItem, MADE).where(RejudgeItem.rejudge_id == row.id, SAYS_SOMETHING)
    found = await session.scalars(tried.where(Judging.account_id.in_(list(by_account))))
    before = await scores.scored_of(session, by_account)
    after = await scores.scored_of(session, by_account, {each.submission_id: each for each in found})
    rows = [
        _outcome(row.id, each.id, before[each.account_id], after[each.account_id], place)
        for each in people
        for place, item in enumerate(items[each.id])
        if item.kind == "challenge" and item.name == row.slug
    ]
    if rows:
        await session.execute(insert(RejudgeOutcome), rows)


def _outcome(
    rejudge_id: str, participation_id: str, before: list[ScoredItem], after: list[ScoredItem], place: int
) -> dict[str, Any]:
    return {
        "rejudge_id": rejudge_id,
        "participation_id": participation_id,
        "position": before[place].position,
        "verdict_before": before[place].verdict,
        "verdict_after": after[place].verdict,
        "score_before": before[place].score,
        "score_after": after[place].score,
        "total_before": round(sum(item.adjusted for item in before), 2),
        "total_after": round(sum(item.adjusted for item in after), 2),
    }


CHANGED = (
    (RejudgeOutcome.score_before != RejudgeOutcome.score_after)
    | (RejudgeOutcome.total_before != RejudgeOutcome.total_after)
    | (func.coalesce(RejudgeOutcome.verdict_before, "") != func.coalesce(RejudgeOutcome.verdict_after, ""))
)


async def apply(session: AsyncSession, row: OwnRejudge, by: str) -> bool:
    """From now on the new judgings count, and those whose score is another are told of; False if that was done before. What is
    written down is what it changes at this moment. Raises `RejudgeNotReady`, `RejudgeEnded`.
    """
    if row.state == "applied":
        return False
    if row.state == TRYING:
        raise RejudgeNotReady(
            "Not everything is judged yet. Wait for the end, look at what changes, and apply it then."
        )
    _require_undecided(row)
    await weigh(session, row)
    mine = select(Judging.id).join(RejudgeItem, MADE).where(RejudgeItem.rejudge_id == row.id, SAYS_SOMETHING)
    new = (await session.scalars(mine)).all()
    for first in range(0, len(new), AT_ONCE):
        await _count(session, new[first : first + AT_ONCE])
    close(row, "applied", by=by)
    await _tell(session, row)
    return True


async def _count(session: AsyncSession, judgings: Sequence[str]) -> None:
    """These count, in place of those that did."""
    made = Judging.__table__.alias()
    submissions = select(made.c.submission_id).where(made.c.id.in_(judgings))
    former = update(Judging).where(Judging.submission_id.in_(submissions), ~Judging.superseded)
    plain = {"synchronize_session": False}
    await session.execute(former.values(superseded=True).execution_options(**plain))
    these = update(Judging).where(Judging.id.in_(judgings))
    await session.execute(these.values(superseded=False).execution_options(**plain))


async def _tell(session: AsyncSession, row: OwnRejudge) -> None:
    mine = select(RejudgeOutcome.participation_id).where(RejudgeOutcome.rejudge_id == row.id)
    other = mine.where(RejudgeOutcome.score_before != RejudgeOutcome.score_after)
    for person in (await session.scalars(select(Participation).where(Participation.id.in_(other)))).all():
        await happened(session, "score.changed", about(person))


async def drop(session: AsyncSession, row: OwnRejudge, by: str) -> bool:
    """Nothing of it will count; what waits to be judged is not judged any more. False if that was done before. Raises
    `RejudgeEnded`.
    """
    if row.state == "dropped":
        return False
    _require_undecided(row)
    waiting = select(Judging.id).join(RejudgeItem, MADE).where(RejudgeItem.rejudge_id == row.id, Judging.superseded)
    end = update(Judging).where(Judging.id.in_(waiting), Judging.status == Status.QUEUED)
    await session.execute(
        end.values(status=Status.CANCELLED, ended_at=now()).execution_options(synchronize_session=False)
    )
    close(row, "dropped", by=by)
    return True


def _require_undecided(row: OwnRejudge) -> None:
    if row.state not in (TRYING, "ready"):
        raise RejudgeEnded(f"This rejudge was {row.state} already. Begin another one.")
