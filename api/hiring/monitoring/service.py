"""Implements what a team can do with participations in its assessments: list them, give time, finish and erase them."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments.models import AssessmentVersion
from api.hiring.assessments.versions import plan_of
from api.hiring.invitations.models import Invitation
from api.hiring.monitoring.activity import activity_of
from api.hiring.monitoring.schemas import AtWork, WatchedRow
from api.hiring.participations import deadlines, service
from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.participations.service import LoadedParticipation, ParticipationNotFound
from api.hiring.plans.pinned_items import title_of
from api.hiring.plans.plan import Plan, question_of
from api.hiring.review_records.latest import decisions_of
from api.hiring.taking import scores
from api.hiring.taking.schemas import ScoredItem
from api.identity.accounts.models import Account
from api.identity.mail.models import OutboxMail
from api.kit.errors import ApiError
from api.settings import Settings

INVITATION_MAILS = ("invitation", "reminder")


class Finished(ApiError):
    """The participation is already finished."""

    status, code = 409, "already_finished"


def listing(assessment_id: str, state: str, before: str) -> Select[Participation]:
    """Return a query for an assessment's participations without test drives, newest first. `state` is running, finished, or
    empty for both.
    """
    mine = Participation.assessment_id == assessment_id, ~Participation.is_test
    query = select(Participation).where(*mine).order_by(Participation.id.desc())
    if state:
        runs = Participation.finished_at.is_(None)
        query = query.where(runs if state == "running" else ~runs)
    return query.where(Participation.id < before) if before else query


async def find(session: AsyncSession, assessment_id: str, participation_id: str) -> LoadedParticipation:
    """Return a participation, locked until the end of the transaction. Raises `ParticipationNotFound`."""
    query = select(Participation).where(
        Participation.id == participation_id, Participation.assessment_id == assessment_id
    )
    row: Participation | None = await session.scalar(query.with_for_update())
    if row is None:
        raise ParticipationNotFound("This assessment has no participation with this ID.")
    return await service.load(session, row)


async def rows_of(session: AsyncSession, rows: list[Participation], moment: datetime) -> list[WatchedRow]:
    """Return the rows of the live table, in which a team follows its participations. The number of queries does not depend on
    the number of rows.
    """
    return [row for row, _ in await scored_rows(session, rows, moment)]


def set_titles(rows: list[WatchedRow], store: CatalogueStore) -> None:
    """Set the title of the challenge or quiz that each candidate is working on."""
    for row in rows:
        if row.at_work is not None and row.at_work.kind != "question":
            row.at_work.title = title_of(row.at_work, store)


async def scored_rows(
    session: AsyncSession, rows: list[Participation], moment: datetime
) -> list[tuple[WatchedRow, list[ScoredItem]]]:
    """Return the rows of the live table, in which a team follows its participations, each with the results of its items."""
    plans = await plans_of(session, rows)
    asked = select(Invitation.id, Invitation.email).where(Invitation.id.in_({row.invitation_id for row in rows}))
    emails = {found.id: found.email for found in await session.execute(asked)}
    drawn = select(ParticipationItem).where(ParticipationItem.participation_id.in_([row.id for row in rows]))
    items: dict[str, list[ParticipationItem]] = {row.id: [] for row in rows}
    for item in await session.scalars(drawn.order_by(ParticipationItem.position)):
        items[item.participation_id].append(item)
    found = await scores.scored_of(session, {row.account_id: items[row.id] for row in rows})
    decided = await decisions_of(session, [row.id for row in rows])
    active = await activity_of(session, rows, items)
    lines = [
        _row(LoadedParticipation(row, plans[row.version], items[row.id]), found[row.account_id], moment)
        | {"email": emails[row.invitation_id], "decision": decided.get(row.id, "none"), **active[row.id]}
        for row in rows
    ]
    for row, line in zip(rows, lines, strict=True):
        line["at_work"] = _at_work(plans[row.version], items[row.id], line["at_work"])
    return [(WatchedRow.model_validate(line), found[row.account_id]) for line, row in zip(lines, rows, strict=True)]


async def give_time(
    session: AsyncSession,
    run: LoadedParticipation,
    settings: Settings,
    store: CatalogueStore,
    minutes: int,
    moment: datetime,
) -> None:
    """Set the extra time of a participation, in minutes. This replaces the extra time that was set before. If the participation
    already ended at its deadline, it reopens when the new deadline is in the future.

    Raises `Finished` if the candidate or the team finished it.
    """
    if run.row.finished_by in ("candidate", "team"):
        raise Finished("This participation is finished, so more time would have no effect.")
    run.row.extra_s = minutes * 60
    await service.apply_given_time(session, run, settings, store, moment)


async def end(
    session: AsyncSession, run: LoadedParticipation, settings: Settings, store: CatalogueStore, moment: datetime
) -> None:
    """Finish a participation now. The last drafts are submitted. Raises `Finished`."""
    await service.bring_up_to_date(session, run, settings, store, moment)
    if run.row.finished_at is not None:
        raise Finished("This participation is already finished.")
    await service.finish(session, run, settings, store, "team", moment)


async def erase(session: AsyncSession, participation: Participation) -> None:
    """Erase everything about a candidate, immediately and permanently: the invitation, all its participations, and everything
    that was submitted and written.
    """
    await erase_invitation(session, await session.get_one(Invitation, participation.invitation_id))


async def erase_invitation(session: AsyncSession, invitation: Invitation) -> None:
    """Erase an invitation with all its participations, and everything that was submitted and written in them."""
    of_invitation = select(Participation.account_id).where(Participation.invitation_id == invitation.id)
    await session.execute(delete(Account).where(Account.id.in_(list(await session.scalars(of_invitation)))))
    if invitation.email:
        mine = (
            OutboxMail.address == invitation.email,
            OutboxMail.kind.in_(INVITATION_MAILS),
            OutboxMail.status != "queued",
        )
        await session.execute(delete(OutboxMail).where(*mine))
    await session.execute(delete(Invitation).where(Invitation.id == invitation.id))


async def plans_of(session: AsyncSession, rows: list[Participation]) -> dict[int, Plan]:
    """Return the plans of these participations in a dictionary by version. The participations must belong to one assessment."""
    if not rows:
        return {}
    query = select(AssessmentVersion).where(
        AssessmentVersion.assessment_id == rows[0].assessment_id,
        AssessmentVersion.number.in_({row.version for row in rows}),
    )
    return {version.number: plan_of(version) for version in await session.scalars(query)}


def _at_work(plan: Plan, items: list[ParticipationItem], position: int | None) -> AtWork | None:
    if position is None:
        return None
    item = items[position - 1]
    question = question_of(plan, item.kind, item.name)
    title = question.title if question else item.name
    return AtWork.model_validate(
        {"position": position, "kind": item.kind, "name": item.name, "digest": item.digest, "title": title}
    )


def _row(run: LoadedParticipation, found: list[ScoredItem], moment: datetime) -> dict[str, Any]:
    plain = (
        "id", "invitation_id", "name", "number", "version", "started_at", "extra_s", "given_back_s", "finished_at", "finished_by",
        "is_test",
    )  # fmt: skip
    return {name: getattr(run.row, name) for name in plain} | {
        "deadline": run.end,
        "left_s": None if run.row.finished_at else deadlines.left_s(moment, run.end),
        "asked": len(found),
        "opened": sum(item.opened_at is not None for item in found),
        "sent": sum(item.sent > 0 for item in found),
        "unfinished": sum(item.unfinished for item in found),
        "score": round(sum(item.score for item in found), 2),
        "adjusted": round(sum(item.adjusted for item in found), 2),
        "to_review": sum(item.to_review for item in found),
        "answers_pending": sum(item.answers_pending for item in found),
        "points": sum(item.points for item in found),
    }
