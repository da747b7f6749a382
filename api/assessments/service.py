"""Rules of assessments: a team's own, saved by whoever has seen the last version, changed no more once somebody has started."""

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.assessments import versions
from api.assessments.models import Assessment, AssessmentVersion
from api.assessments.plan import Plan
from api.catalogue.service import Catalogue
from api.db import now
from api.errors import ApiError
from api.ids import new_id
from api.teams import service as teams
from api.teams.seats import Seat

ASSESSMENTS = 200
NAME = 120
COPY = " (copy)"


class AssessmentNotFound(ApiError):
    """The team has no such assessment."""

    status, code = 404, "assessment_not_found"


class TooManyAssessments(ApiError):
    """The team has as many assessments as are allowed."""

    status, code = 409, "too_many_assessments"


class AssessmentArchived(ApiError):
    """It was put away."""

    status, code = 409, "assessment_archived"


class AssessmentTaken(ApiError):
    """Somebody has started with it."""

    status, code = 409, "assessment_taken"


async def create(session: AsyncSession, seat: Seat, name: str, plan: Plan | None) -> Assessment:
    """A new draft. Raises `TeamNotFound`, `TooManyAssessments`."""
    await teams.lock(session, seat.team.id)
    count = select(func.count()).select_from(Assessment).where(Assessment.team_id == seat.team.id)
    if (await session.scalar(count) or 0) >= ASSESSMENTS:
        raise TooManyAssessments(f"This team has {ASSESSMENTS} assessments. Delete one first.")
    made = Assessment(
        id=new_id(),
        team_id=seat.team.id,
        name=name,
        state="draft",
        created_by=seat.account.id,
        created_at=now(),
        version=0,
    )
    session.add(made)
    await session.flush()
    if plan is not None:
        await versions.keep(session, made, plan)
    return made


async def find(session: AsyncSession, seat: Seat, assessment_id: str) -> Assessment:
    """An assessment of the team's. Raises `AssessmentNotFound`."""
    return await _find(session, select(Assessment), seat, assessment_id)


async def find_to_change(session: AsyncSession, seat: Seat, assessment_id: str) -> Assessment:
    """An assessment of the team's, for this transaction alone. Raises `AssessmentNotFound`."""
    return await _find(session, select(Assessment).with_for_update(), seat, assessment_id)


async def _find(session: AsyncSession, query: Select[Assessment], seat: Seat, assessment_id: str) -> Assessment:
    mine = Assessment.id == assessment_id, Assessment.team_id == seat.team.id
    found: Assessment | None = await session.scalar(query.where(*mine))
    if found is None:
        raise AssessmentNotFound("This team has no assessment with this id.")
    return found


def listing(team_id: str, state: str, before: str) -> Select[Assessment, str | None]:
    """A team's assessments, newest first, each with the name of who made it."""
    query = select(Assessment, Account.name).outerjoin(Account, Account.id == Assessment.created_by)
    query = query.where(Assessment.team_id == team_id).order_by(Assessment.id.desc())
    if state:
        query = query.where(Assessment.state == state)
    return query.where(Assessment.id < before) if before else query


async def author_of(session: AsyncSession, assessment: Assessment) -> str | None:
    """The name of who made it, if that account still exists."""
    account = await session.get(Account, assessment.created_by) if assessment.created_by else None
    return account.name if account else None


async def save(session: AsyncSession, assessment: Assessment, version: int, plan: Plan, catalogue: Catalogue) -> bool:
    """Keep a plan that was made from this version; returns whether it is kept. The same plan saved twice is kept once, so a
    saving whose answer was lost may be sent again. Raises `AssessmentArchived`, `PlanUnusable`.
    """
    _require_not_archived(assessment)
    kept = await versions.newest(session, assessment.id)
    if kept is not None and versions.plan_of(kept) == plan:
        return True
    if assessment.version != version:
        return False
    if assessment.state == "open":
        versions.require_usable(plan, catalogue)
    await versions.keep(session, assessment, plan)
    return True


async def open_up(session: AsyncSession, assessment: Assessment, catalogue: Catalogue) -> None:
    """Candidates may start. Raises `AssessmentArchived`, `NoPlan`, `PlanUnusable`."""
    _require_not_archived(assessment)
    version = await versions.newest(session, assessment.id)
    if version is None:
        raise versions.NoPlan
    versions.require_usable(versions.plan_of(version), catalogue)
    assessment.state = "open"


def archive(assessment: Assessment) -> None:
    """Nobody starts any more; who has started goes on."""
    assessment.state = "archived"


def restore(assessment: Assessment) -> None:
    """What was archived is a draft again; what was not stays as it is."""
    if assessment.state == "archived":
        assessment.state = "draft"


async def clone(session: AsyncSession, seat: Seat, assessment: Assessment) -> Assessment:
    """A new draft with the same plan. Raises `TeamNotFound`, `TooManyAssessments`."""
    version = await versions.newest(session, assessment.id)
    name = f"{assessment.name[: NAME - len(COPY)].rstrip()}{COPY}"
    return await create(session, seat, name, versions.plan_of(version) if version else None)


async def delete(session: AsyncSession, assessment: Assessment) -> None:
    """Erase an assessment that nobody has taken. Raises `AssessmentTaken`."""
    frozen = select(AssessmentVersion.number).where(
        AssessmentVersion.assessment_id == assessment.id, AssessmentVersion.frozen_at.is_not(None)
    )
    if await session.scalar(frozen.limit(1)) is not None:
        raise AssessmentTaken("Somebody has taken this assessment. Archive it instead.")
    await session.delete(assessment)


def _require_not_archived(assessment: Assessment) -> None:
    if assessment.state == "archived":
        raise AssessmentArchived("This assessment is archived. Restore it first.")
