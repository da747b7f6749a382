"""Creates, changes and deletes assessments. An assessment belongs to a team. Each save must name the version of the assessment
that the member has edited. Once a candidate has started with a version of the plan, that version is frozen: it no longer
changes.
"""

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments import versions
from api.hiring.assessments.models import Assessment, AssessmentVersion
from api.hiring.plans.plan import Plan, digests, names
from api.hiring.plans.warnings import assistant_missing, window_over
from api.hiring.teams import service as teams
from api.hiring.teams.membership import Membership
from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.kit.errors import ApiError
from api.kit.ids import new_id

ASSESSMENTS = 200
NAME = 120
COPY = " (copy)"


class AssessmentNotFound(ApiError):
    status, code = 404, "assessment_not_found"


class TooManyAssessments(ApiError):
    """The team has reached the maximum number of assessments."""

    status, code = 409, "too_many_assessments"


class AssessmentArchived(ApiError):
    """The assessment is archived."""

    status, code = 409, "assessment_archived"


class AssessmentTaken(ApiError):
    """A candidate has started the assessment."""

    status, code = 409, "assessment_taken"


async def create(session: AsyncSession, membership: Membership, name: str, plan: Plan | None) -> Assessment:
    """Create a draft. Raises `TeamNotFound`, `TooManyAssessments`."""
    await teams.lock(session, membership.team.id)
    count = select(func.count()).select_from(Assessment).where(Assessment.team_id == membership.team.id)
    if (await session.scalar(count) or 0) >= ASSESSMENTS:
        raise TooManyAssessments(f"This team has {ASSESSMENTS} assessments. Delete one first.")
    made = Assessment(
        id=new_id(),
        team_id=membership.team.id,
        name=name,
        state="draft",
        created_by=membership.account.id,
        created_at=now(),
        version=0,
    )
    session.add(made)
    await session.flush()
    if plan is not None:
        await versions.keep(session, made, plan)
    return made


async def find(session: AsyncSession, membership: Membership, assessment_id: str) -> Assessment:
    """Return an assessment of the team. Raises `AssessmentNotFound`."""
    return await _find(session, select(Assessment), membership, assessment_id)


async def find_to_change(session: AsyncSession, membership: Membership, assessment_id: str) -> Assessment:
    """Return an assessment of the team, locked until the end of the transaction. Raises `AssessmentNotFound`."""
    return await _find(session, select(Assessment).with_for_update(), membership, assessment_id)


async def _find(
    session: AsyncSession, query: Select[Assessment], membership: Membership, assessment_id: str
) -> Assessment:
    mine = Assessment.id == assessment_id, Assessment.team_id == membership.team.id
    found: Assessment | None = await session.scalar(query.where(*mine))
    if found is None:
        raise AssessmentNotFound("This team has no assessment with this ID.")
    return found


def listing(team_id: str, state: str, before: str) -> Select[Assessment, str | None]:
    """Return a query for a team's assessments, newest first, each with the name of its creator."""
    query = select(Assessment, Account.name).outerjoin(Account, Account.id == Assessment.created_by)
    query = query.where(Assessment.team_id == team_id).order_by(Assessment.id.desc())
    if state:
        query = query.where(Assessment.state == state)
    return query.where(Assessment.id < before) if before else query


async def author_of(session: AsyncSession, assessment: Assessment) -> str | None:
    """Return the name of the account that created the assessment, or None if that account was deleted."""
    account = await session.get(Account, assessment.created_by) if assessment.created_by else None
    return account.name if account else None


async def save(
    session: AsyncSession, assessment: Assessment, version: int, plan: Plan, served: Catalogue, store: CatalogueStore
) -> bool:
    """Save a plan. `version` must be the version of the assessment that the plan is based on. Returns False if the assessment
    was saved again since that version.

    Saving the stored plan again changes nothing, so a save whose response was lost can be repeated. In an open assessment,
    items keep the versions that were pinned when the assessment was opened. Raises `AssessmentArchived`, `PlanUnusable`.
    """
    _require_not_archived(assessment)
    kept = await versions.newest(session, assessment.id)
    if kept is not None and versions.plan_of(kept) == plan:
        return True
    if assessment.version != version:
        return False
    opened = versions.as_opened(served, kept, store)
    if assessment.state == "open":
        versions.require_usable(plan, opened)
    saved = await versions.keep(session, assessment, plan)
    if assessment.state == "open":
        versions.pin(saved, opened)
    return True


async def open_up(
    session: AsyncSession, assessment: Assessment, served: Catalogue, store: CatalogueStore, *, has_assistant: bool
) -> None:
    """Open an assessment with the current versions of its challenges. A challenge that is no longer in the catalogue keeps its
    pinned version. Candidates who have started keep the items and versions that they were given. Raises `AssessmentArchived`,
    `NoPlan`, `PlanUnusable`.
    """
    _require_not_archived(assessment)
    version = await versions.newest(session, assessment.id)
    if version is None:
        raise versions.NoPlan
    opened, plan = versions.as_opened(served, version, store, reopening=True), versions.plan_of(version)
    missing = [] if has_assistant else assistant_missing(plan)
    versions.require_usable(plan, opened, [*window_over(plan, now()), *missing])
    if version.frozen_at is not None and versions.digests_of(version) != digests(plan, opened):
        version = await versions.keep(session, assessment, plan)
    if version.frozen_at is None:
        versions.pin(version, opened)
    assessment.state = "open"


def archive(assessment: Assessment) -> None:
    """Archive an assessment, so that nobody else can start it. Candidates who have started can continue."""
    assessment.state = "archived"


def restore(assessment: Assessment) -> None:
    """Turn an archived assessment into a draft. Does nothing if it is not archived."""
    if assessment.state == "archived":
        assessment.state = "draft"


async def clone(session: AsyncSession, membership: Membership, assessment: Assessment) -> Assessment:
    """Create a draft with the same plan. Raises `TeamNotFound`, `TooManyAssessments`."""
    version = await versions.newest(session, assessment.id)
    name = f"{assessment.name[: NAME - len(COPY)].rstrip()}{COPY}"
    return await create(session, membership, name, versions.plan_of(version) if version else None)


async def delete(session: AsyncSession, assessment: Assessment) -> None:
    """Delete an assessment that no candidate has started. Raises `AssessmentTaken`."""
    frozen = select(AssessmentVersion.number).where(
        AssessmentVersion.assessment_id == assessment.id, AssessmentVersion.frozen_at.is_not(None)
    )
    if await session.scalar(frozen.limit(1)) is not None:
        raise AssessmentTaken("A candidate has started this assessment, so it cannot be deleted. Archive it instead.")
    await session.delete(assessment)


def _require_not_archived(assessment: Assessment) -> None:
    if assessment.state == "archived":
        raise AssessmentArchived("This assessment is archived. Restore it first.")


async def using(session: AsyncSession, team_id: str, name: str) -> list[Assessment]:
    """Return the team's drafts and open assessments whose newest plan contains this challenge."""
    query = select(Assessment).where(Assessment.team_id == team_id, Assessment.state != "archived")
    found = []
    for assessment in (await session.scalars(query.order_by(Assessment.id))).all():
        version = await versions.newest(session, assessment.id)
        if version is not None and names(versions.plan_of(version), name):
            found.append(assessment)
    return found
