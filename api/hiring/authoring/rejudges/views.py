"""Builds the response bodies of rejudges of a team's own challenges."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.hiring.assessments.models import Assessment
from api.hiring.authoring.rejudges.schemas import AppliedRejudge, OwnRejudgeView, RejudgedItem
from api.hiring.authoring.rejudges.service import CHANGED
from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.team_catalogue.models import OwnChallenge
from api.identity.accounts.models import Account
from api.judging.rejudges import service
from api.judging.rejudges.models import OwnRejudge, RejudgeOutcome
from api.judging.rejudges.schemas import Change
from api.judging.submissions.models import UNFINISHED

REJUDGED = 100
PEOPLE = func.count(RejudgeOutcome.participation_id.distinct())
PEOPLE_CHANGED = func.count(RejudgeOutcome.participation_id.distinct()).filter(CHANGED)


def listing(challenge_id: str, before: str) -> Select[OwnRejudge]:
    """Return a query for the rejudges of a challenge, newest first."""
    query = select(OwnRejudge).where(OwnRejudge.challenge_id == challenge_id).order_by(OwnRejudge.id.desc())
    return query.where(OwnRejudge.id < before) if before else query


async def views(session: AsyncSession, rows: Sequence[OwnRejudge]) -> list[OwnRejudgeView]:
    """Build the views of rejudges, with their progress and the number of changed results."""
    await session.flush()
    ids = [row.id for row in rows]
    progress = await service.progress(session, ids)
    accounts = {name for row in rows for name in (row.started_by, row.ended_by) if name}
    asked = await session.execute(select(Account.id, Account.name).where(Account.id.in_(accounts)))
    names: dict[str | None, str] = {row.id: row.name for row in asked}
    counted = select(RejudgeOutcome.rejudge_id, PEOPLE, PEOPLE_CHANGED).where(RejudgeOutcome.rejudge_id.in_(ids))
    people = {found[0]: found[1:] for found in await session.execute(counted.group_by(RejudgeOutcome.rejudge_id))}
    return [_view(row, progress.get(row.id, []), names, people.get(row.id, (0, 0))) for row in rows]


def _view(row: OwnRejudge, counts: list[Any], names: dict[str | None, str], people: Sequence[int]) -> OwnRejudgeView:
    ended = sorted((before, after, count) for before, _, after, count in counts if after is not None)
    return OwnRejudgeView.model_validate(
        {
            "id": row.id,
            "version": row.version,
            "never_lower": row.never_lower,
            "state": row.state,
            "reason": row.reason,
            "waiting": sum(count for _, status, _, count in counts if status is None),
            "judging": sum(count for _, status, _, count in counts if status in UNFINISHED),
            "judged": sum(count for _, _, count in ended),
            "outcomes": [Change(before=before, after=after, count=count) for before, after, count in ended],
            "people": people[0],
            "changed": people[1],
            "created_at": row.created_at,
            "started_by": names.get(row.started_by),
            "ended_at": row.ended_at,
            "ended_by": names.get(row.ended_by),
        }
    )


def outcomes(rejudge_id: str, *, changed: bool, before: tuple[str, int] | None) -> Select[*tuple[Any, ...]]:
    """Return a query for the outcomes of a rejudge, newest participation first. If `changed` is true, the query returns the
    outcomes that change a result, otherwise those that do not. `before` consists of the participation and the position of the
    last outcome on the previous page.
    """
    columns = [
        getattr(RejudgeOutcome, f"{what}_{when}")
        for what in ("verdict", "score", "total")
        for when in ("before", "after")
    ]
    query = select(
        RejudgeOutcome.participation_id, RejudgeOutcome.position, Participation.assessment_id, Participation.name, *columns,
        Assessment.name.label("assessment"), ParticipationItem.points,
    )  # fmt: skip
    query = query.join(Participation, Participation.id == RejudgeOutcome.participation_id)
    query = query.join(Assessment, Assessment.id == Participation.assessment_id)
    same = ParticipationItem.participation_id == RejudgeOutcome.participation_id
    query = query.join(ParticipationItem, same & (ParticipationItem.position == RejudgeOutcome.position))
    query = query.where(RejudgeOutcome.rejudge_id == rejudge_id, CHANGED if changed else ~CHANGED)
    query = query.order_by(RejudgeOutcome.participation_id.desc(), RejudgeOutcome.position.desc())
    if before is None:
        return query
    person, position = before
    of_same = (RejudgeOutcome.participation_id == person) & (RejudgeOutcome.position < position)
    return query.where((RejudgeOutcome.participation_id < person) | of_same)


async def applied_to(session: AsyncSession, assessment_id: str, before: str, limit: int) -> list[AppliedRejudge]:
    """Return the applied rejudges that rejudged answers of an assessment, newest first."""
    shape = (OwnRejudge.id, OwnRejudge.challenge_id, OwnRejudge.slug.label("name"), OwnRejudge.version)
    title = func.coalesce(OwnChallenge.title, OwnRejudge.slug).label("title")
    ended = OwnRejudge.ended_at.label("applied_at"), Account.name.label("applied_by")
    counts = PEOPLE.label("people"), PEOPLE_CHANGED.label("changed")
    query = select(*shape, title, *ended, *counts).select_from(OwnRejudge)
    query = query.join(RejudgeOutcome, RejudgeOutcome.rejudge_id == OwnRejudge.id)
    query = query.join(Participation, Participation.id == RejudgeOutcome.participation_id)
    query = query.outerjoin(OwnChallenge, OwnChallenge.id == OwnRejudge.challenge_id)
    query = query.outerjoin(Account, Account.id == OwnRejudge.ended_by)
    query = query.where(Participation.assessment_id == assessment_id, OwnRejudge.state == "applied")
    if before:
        query = query.where(OwnRejudge.id < before)
    query = (
        query.group_by(*shape, ended[0], OwnChallenge.title, Account.name).order_by(OwnRejudge.id.desc()).limit(limit)
    )
    return [AppliedRejudge.model_validate(row._mapping) for row in await session.execute(query)]


async def of_person(session: AsyncSession, participation_id: str) -> list[RejudgedItem]:
    """Return the rejudged items of a participation with their results before and after the rejudge. Items of the newest rejudge
    come first.
    """
    by = aliased(Account)
    query = select(RejudgeOutcome, OwnRejudge.version, OwnRejudge.ended_at, by.name)
    query = query.join(OwnRejudge, OwnRejudge.id == RejudgeOutcome.rejudge_id).outerjoin(
        by, by.id == OwnRejudge.ended_by
    )
    query = query.where(RejudgeOutcome.participation_id == participation_id, OwnRejudge.state == "applied")
    query = query.order_by(OwnRejudge.id.desc(), RejudgeOutcome.position).limit(REJUDGED)
    return [
        RejudgedItem.model_validate({**_columns(row), "version": version, "applied_at": at, "applied_by": name})
        for row, version, at, name in await session.execute(query)
    ]


def _columns(row: RejudgeOutcome) -> dict[str, Any]:
    return {column.name: getattr(row, column.name) for column in RejudgeOutcome.__table__.columns}
