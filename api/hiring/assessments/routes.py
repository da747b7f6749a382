"""Routes to build assessments: create them, save and preview the plan, open and archive them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, status
from fastapi.responses import JSONResponse
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore, CatalogueStoreDep
from api.hiring.assessments import service, versions
from api.hiring.assessments.models import Assessment
from api.hiring.assessments.schemas import (
    AssessmentConflict,
    AssessmentView,
    NamedAssessment,
    NewAssessment,
    NewPlan,
    Preview,
    assessment_view,
    preview,
)
from api.hiring.team_catalogue.service import catalogue_of
from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsAuthor, AsReviewer, RoleTooLow, TeamNotFound
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(prefix="/teams/{team_id}/assessments", tags=["assessments"], route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound)
WRITE = (*READ, CrossSite, RoleTooLow)
CHANGE = (*WRITE, service.AssessmentNotFound)
SAVED_MEANWHILE = (
    "Another member saved this assessment in the meantime. Compare both versions, and save the one that you want to keep. "
    "Nothing is lost."
)
CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": AssessmentConflict, "description": "assessment_conflict or assessment_archived"}
}


@router.post("", status_code=201, responses=errors(*WRITE, service.TooManyAssessments))
async def create_assessment(
    body: NewAssessment, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> AssessmentView:
    """Create an assessment as a draft. The plan of a draft is allowed to have problems, which must be fixed before the
    assessment can be opened.
    """
    async with db.write() as session:
        made = await service.create(session, membership, body.name, body.plan)
        activity_log.record(session, membership, "assessment.create", made.id, made.name)
        return await _view(session, store, made)


@router.get("/{assessment_id}", responses=errors(*READ, service.AssessmentNotFound))
async def get_assessment(
    assessment_id: Id, membership: AsReviewer, db: DatabaseDep, store: CatalogueStoreDep
) -> AssessmentView:
    """Return an assessment with its newest plan, the plan's totals, and the problems that prevent it from being opened."""
    async with db.read() as session:
        return await _view(session, store, await service.find(session, membership, assessment_id))


@router.put("/{assessment_id}", responses=errors(*CHANGE))
async def rename_assessment(
    assessment_id: Id, body: NamedAssessment, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> AssessmentView:
    """Rename an assessment."""
    async with db.write() as session:
        assessment = await service.find_to_change(session, membership, assessment_id)
        activity_log.record(session, membership, "assessment.rename", assessment.id, body.name, assessment.name)
        assessment.name = body.name
        return await _view(session, store, assessment)


@router.put(
    "/{assessment_id}/plan",
    response_model=AssessmentView,
    responses={**errors(*CHANGE, versions.PlanUnusable), **CONFLICT},
)
async def save_plan(
    assessment_id: Id, body: NewPlan, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> AssessmentView | JSONResponse:
    """Save the plan. `version` must be the version of the assessment that the plan is based on. If another member has saved a
    newer version, the response is 409 with the stored plan. Candidates who have started keep the plan with which they started.
    The plan of an open assessment must have no problems.
    """
    async with db.write() as session:
        assessment = await service.find_to_change(session, membership, assessment_id)
        catalogue, before = await catalogue_of(session, store, membership.team.id), assessment.version
        taken = await service.save(session, assessment, body.version, body.plan, catalogue, store)
        if taken and assessment.version != before:
            version = await versions.newest(session, assessment.id)
            number = f"version {version.number}" if version else ""
            activity_log.record(session, membership, "assessment.save", assessment.id, assessment.name, number)
        shown = await _view(session, store, assessment)
    if taken:
        return shown
    conflict = AssessmentConflict(code="assessment_conflict", message=SAVED_MEANWHILE, status=409, assessment=shown)
    return JSONResponse(conflict.model_dump(mode="json", exclude={"fields"}), status_code=409)


@router.get("/{assessment_id}/preview", responses=errors(*READ, service.AssessmentNotFound, versions.NoPlan))
async def preview_assessment(
    assessment_id: Id,
    membership: AsReviewer,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    seed: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> Preview:
    """Return the information and the items that a candidate would get. Different values of `seed` show what different
    candidates could get. Nothing is stored.
    """
    async with db.read() as session:
        assessment = await service.find(session, membership, assessment_id)
        version = await versions.newest(session, assessment_id)
        served = await catalogue_of(session, store, membership.team.id)
    if version is None:
        raise versions.NoPlan
    catalogue = versions.as_opened(served, version, store)
    return preview(membership.team.name, assessment.name, versions.plan_of(version), seed, catalogue)


@router.post(
    "/{assessment_id}/open",
    responses=errors(*CHANGE, service.AssessmentArchived, versions.NoPlan, versions.PlanUnusable),
)
async def open_assessment(
    assessment_id: Id, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep, settings: SettingsDep
) -> AssessmentView:
    """Open an assessment, so that candidates can start. This pins (fixes) the current versions of its challenges. Opening the
    assessment again pins the versions that are current at that time, for candidates who start later.
    """
    async with db.write() as session:
        assessment = await service.find_to_change(session, membership, assessment_id)
        served = await catalogue_of(session, store, membership.team.id)
        await service.open_up(session, assessment, served, store, has_assistant=settings.assistant is not None)
        activity_log.record(session, membership, "assessment.open", assessment.id, assessment.name)
        return await _view(session, store, assessment)


@router.post("/{assessment_id}/archive", responses=errors(*CHANGE))
async def archive_assessment(
    assessment_id: Id, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> AssessmentView:
    """Archive an assessment, so that nobody else can start it. Candidates who have started can continue."""
    async with db.write() as session:
        assessment = await service.find_to_change(session, membership, assessment_id)
        service.archive(assessment)
        activity_log.record(session, membership, "assessment.archive", assessment.id, assessment.name)
        return await _view(session, store, assessment)


@router.post("/{assessment_id}/restore", responses=errors(*CHANGE))
async def restore_assessment(
    assessment_id: Id, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> AssessmentView:
    """Turn an archived assessment back into a draft."""
    async with db.write() as session:
        assessment = await service.find_to_change(session, membership, assessment_id)
        service.restore(assessment)
        activity_log.record(session, membership, "assessment.restore", assessment.id, assessment.name)
        return await _view(session, store, assessment)


@router.post("/{assessment_id}/clone", status_code=201, responses=errors(*CHANGE, service.TooManyAssessments))
async def clone_assessment(
    assessment_id: Id, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> AssessmentView:
    """Create a new draft with the same plan."""
    async with db.write() as session:
        assessment = await service.find(session, membership, assessment_id)
        made = await service.clone(session, membership, assessment)
        activity_log.record(session, membership, "assessment.clone", made.id, assessment.name)
        return await _view(session, store, made)


@router.delete(
    "/{assessment_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(*CHANGE, service.AssessmentTaken),
)
async def delete_assessment(assessment_id: Id, membership: AsAuthor, db: DatabaseDep) -> None:
    """Delete an assessment that no candidate has started."""
    async with db.write() as session:
        assessment = await service.find_to_change(session, membership, assessment_id)
        await service.delete(session, assessment)
        activity_log.record(session, membership, "assessment.delete", assessment.id, assessment.name)


async def _view(session: AsyncSession, store: CatalogueStore, assessment: Assessment) -> AssessmentView:
    version = await versions.newest(session, assessment.id)
    author = await service.author_of(session, assessment)
    served = await catalogue_of(session, store, assessment.team_id)
    return assessment_view(assessment, author, version, versions.as_opened(served, version, store))
