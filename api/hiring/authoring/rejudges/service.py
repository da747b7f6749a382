"""Rejudges the answers to teams' own challenges: the answers of finished participations are judged on a newer version of the
challenge. The new results do not count at first. A member of the team compares them with the earlier results, and then either
applies all of them together or drops all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments.models import Assessment
from api.hiring.authoring.rejudges.schemas import NewOwnRejudge
from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.participations.webhook_events import record
from api.hiring.taking import scores
from api.hiring.taking.schemas import ScoredItem
from api.hiring.team_catalogue.models import OwnChallenge
from api.hiring.team_catalogue.service import name_of, published
from api.hiring.teams.membership import Membership
from api.judging.rejudges import service
from api.judging.rejudges.models import OwnRejudge, RejudgeItem, RejudgeOutcome
from api.judging.rejudges.service import MADE, RejudgeEnded, RejudgeNotFound
from api.judging.submissions.models import Judging, Status, Submission
from api.kit.db.database import now
from api.kit.errors import ApiError, TooManyRequests
from api.kit.ids import new_id
from grader.contract.job import Kind, Verdict

A_DAY = 20
TRYING = "trying"
AT_ONCE = 200
GONE = "The challenge was deleted in the meantime."
# Selects the new judgings that replace earlier ones. Judgings that ended with a judge error are excluded: a judge error says
# nothing about an answer, so the earlier judging of that answer continues to count.
SAYS_SOMETHING = (Judging.status == Status.JUDGED) & (Judging.verdict != Verdict.JE)


class NothingToRejudge(ApiError):
    """No version is published, or all answers of finished participations in the chosen assessments were already judged on the
    published version.
    """

    status, code = 409, "nothing_to_rejudge"


class RejudgeNotReady(ApiError):
    """Not all answers are judged yet."""

    status, code = 409, "rejudge_not_ready"


@dataclass(frozen=True)
class Target:
    """The published version of a challenge, on which answers are judged again."""

    challenge: OwnChallenge
    number: int
    digest: str


async def target(session: AsyncSession, store: CatalogueStore, challenge: OwnChallenge) -> Target | None:
    """Return the published version of a challenge, or None if no version is published."""
    found = await published(session, store, OwnChallenge.id == challenge.id)
    return Target(challenge, found[0][1].number, found[0][1].digest) if found else None


async def outdated(session: AsyncSession, wanted: Target) -> list[Any]:
    """Return the assessments of the team in which answers of finished participations were judged on another version than the
    published one. Each row consists of the assessment's ID, its name, the number of participations with such answers, and the
    number of these answers.
    """
    counts = func.count(Participation.id.distinct()), func.count()
    query = _outdated(wanted, Assessment.id, Assessment.name, *counts)
    return list(await session.execute(query.group_by(Assessment.id, Assessment.name).order_by(Assessment.id.desc())))


async def start(
    session: AsyncSession, membership: Membership, wanted: Target | None, asked: NewOwnRejudge
) -> OwnRejudge:
    """Start a rejudge on the published version. It includes the answers in these assessments that belong to finished
    participations and were judged on another version. If there are more than `service.MOST` answers, only the newest ones are
    included. Raises `NothingToRejudge`, `AlreadyRejudging`, `TooManyRequests`.
    """
    if wanted is None:
        raise NothingToRejudge("No version is published. Publish the version to use for the rejudge.")
    lately = OwnRejudge.team_id == membership.team.id, OwnRejudge.created_at > now() - timedelta(days=1)
    if (await session.scalar(select(func.count()).select_from(OwnRejudge).where(*lately)) or 0) >= A_DAY:
        raise TooManyRequests(
            f"A team can start at most {A_DAY} rejudges a day. Try again tomorrow.", retry_after_s=3600
        )
    row = OwnRejudge(
        id=new_id(),
        slug=name_of(wanted.challenge.slug),
        state=TRYING,
        reason="",
        created_at=now(),
        ended_at=None,
        team_id=membership.team.id,
        challenge_id=wanted.challenge.id,
        digest=wanted.digest,
        version=wanted.number,
        undecided=True,
        never_lower=asked.never_lower,
        started_by=membership.account.id,
        ended_by=None,
    )
    chosen = _outdated(wanted, Judging.submission_id, Judging.verdict, Judging.score)
    chosen = (
        chosen.where(Assessment.id.in_(asked.assessments)).order_by(Judging.submission_id.desc()).limit(service.MOST)
    )
    if not await service.open_with(session, row, chosen):
        raise NothingToRejudge("All answers of these assessments were already judged with the published version.")
    return row


def _outdated(wanted: Target, *shape: Any) -> Select[*tuple[Any, ...]]:
    query = select(*shape).select_from(Judging).join(Submission, Submission.id == Judging.submission_id)
    query = query.join(Participation, Participation.account_id == Submission.account_id)
    query = query.join(Assessment, Assessment.id == Participation.assessment_id)
    return query.where(
        Assessment.team_id == wanted.challenge.team_id,
        Participation.finished_at.is_not(None),
        ~Participation.is_test,
        Submission.slug == name_of(wanted.challenge.slug),
        Submission.kind == Kind.SUBMIT,
        ~Judging.superseded,
        Judging.status == Status.JUDGED,
        Judging.digest != wanted.digest,
    )


async def find(
    session: AsyncSession, challenge: OwnChallenge, rejudge_id: str, *, to_change: bool = False
) -> OwnRejudge:
    """Return a rejudge of this challenge. With `to_change`, it is locked until the end of the transaction. Raises
    `RejudgeNotFound`.
    """
    query = select(OwnRejudge).where(OwnRejudge.id == rejudge_id, OwnRejudge.challenge_id == challenge.id)
    row: OwnRejudge | None = await session.scalar(query.with_for_update() if to_change else query)
    if row is None:
        raise RejudgeNotFound("This challenge has no rejudge with this ID.")
    return row


async def active_rejudge(session: AsyncSession, rejudge_id: str) -> OwnRejudge | None:
    """Return the rejudge, locked until the end of the transaction, or None if it is no longer in progress."""
    query = select(OwnRejudge).where(OwnRejudge.id == rejudge_id, OwnRejudge.state == TRYING)
    row: OwnRejudge | None = await session.scalar(query.with_for_update())
    return row


def close(row: OwnRejudge, state: str, reason: str = "", by: str | None = None) -> None:
    """End the rejudge. `state` is `applied` or `dropped`. `by` is the ID of the account that ended it, or None if the service
    did.
    """
    row.state, row.reason, row.undecided, row.ended_at, row.ended_by = state, reason, False, now(), by


async def record_outcomes(session: AsyncSession, row: OwnRejudge) -> None:
    """Store the results of each participation with and without the new judgings. This function is called when all answers of
    the rejudge are judged. It is called once more when the rejudge is applied, because results may have changed in between.
    """
    await session.execute(delete(RejudgeOutcome).where(RejudgeOutcome.rejudge_id == row.id))
    of_people = select(Submission.account_id).join(RejudgeItem, RejudgeItem.submission_id == Submission.id)
    mine = Participation.account_id.in_(of_people.where(RejudgeItem.rejudge_id == row.id))
    people = list(await session.scalars(select(Participation).where(mine).order_by(Participation.id)))
    for first in range(0, len(people), AT_ONCE):
        await _record_outcomes(session, row, people[first : first + AT_ONCE])


async def _record_outcomes(session: AsyncSession, row: OwnRejudge, people: Sequence[Participation]) -> None:
    query = select(ParticipationItem).where(ParticipationItem.participation_id.in_([each.id for each in people]))
    items: dict[str, list[ParticipationItem]] = {each.id: [] for each in people}
    for item in await session.scalars(query.order_by(ParticipationItem.position)):
        items[item.participation_id].append(item)
    by_account = {each.account_id: items[each.id] for each in people}
    tried = select(Judging).join(RejudgeItem, MADE)
    found = await session.scalars(tried.where(*_counting(row), Judging.account_id.in_(list(by_account))))
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


def _counting(row: OwnRejudge) -> list[ColumnElement[bool]]:
    """Return the conditions for the new judgings that replace the earlier ones. Without lowering, these are those whose share
    of the points is not lower than that of the judging that counts now.
    """
    found = [RejudgeItem.rejudge_id == row.id, SAYS_SOMETHING]
    if row.never_lower:
        now_counts = aliased(Judging)
        lower = Judging.score * now_counts.max_score < now_counts.score * Judging.max_score
        same = now_counts.submission_id == Judging.submission_id, ~now_counts.superseded
        found.append(~select(now_counts.id).where(*same, lower).exists())
    return found


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
    """Apply the rejudge: its new judgings count from now on, and an event is recorded for each participation whose score
    changes. Returns False if the rejudge was already applied.

    The outcomes are computed once more and stored. Raises `RejudgeNotReady`, `RejudgeEnded`.
    """
    if row.state == "applied":
        return False
    if row.state == TRYING:
        raise RejudgeNotReady(
            "Not all answers are judged yet. Wait until the rejudge is ready, check what changes, and apply it then."
        )
    _require_undecided(row)
    await record_outcomes(session, row)
    mine = select(Judging.id).join(RejudgeItem, MADE).where(*_counting(row))
    new = (await session.scalars(mine)).all()
    for first in range(0, len(new), AT_ONCE):
        await _make_current(session, new[first : first + AT_ONCE])
    close(row, "applied", by=by)
    await _record_score_changes(session, row)
    return True


async def _make_current(session: AsyncSession, judgings: Sequence[str]) -> None:
    """Make these judgings count, and mark the earlier judgings of the same submissions as superseded."""
    made = Judging.__table__.alias()
    submissions = select(made.c.submission_id).where(made.c.id.in_(judgings))
    former = update(Judging).where(Judging.submission_id.in_(submissions), ~Judging.superseded)
    plain = {"synchronize_session": False}
    await session.execute(former.values(superseded=True).execution_options(**plain))
    these = update(Judging).where(Judging.id.in_(judgings))
    await session.execute(these.values(superseded=False).execution_options(**plain))


async def _record_score_changes(session: AsyncSession, row: OwnRejudge) -> None:
    mine = select(RejudgeOutcome.participation_id).where(RejudgeOutcome.rejudge_id == row.id)
    other = mine.where(RejudgeOutcome.score_before != RejudgeOutcome.score_after)
    for person in (await session.scalars(select(Participation).where(Participation.id.in_(other)))).all():
        await record(session, "score.changed", person)


async def drop(session: AsyncSession, row: OwnRejudge, by: str) -> bool:
    """Discard the rejudge and cancel its queued judgings. Returns False if it was already dropped. Raises `RejudgeEnded` if it
    was already applied.
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
        raise RejudgeEnded(f"This rejudge was already {row.state}. Start another one.")
