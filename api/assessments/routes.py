"""Building assessments: list, make, save the plan, look at it as a candidate, open, put away."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, status
from fastapi.responses import JSONResponse
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments import service, versions
from api.assessments.models import Assessment
from api.assessments.schemas import (
    AssessmentConflict,
    AssessmentPage,
    AssessmentState,
    AssessmentView,
    NamedAssessment,
    NewAssessment,
    NewPlan,
    Preview,
    assessment_card,
    assessment_view,
    preview,
)
from api.bodies import JsonRoute
from api.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.ids import Id
from api.own.service import catalogue_of
from api.pagination import decode_cursor, encode_cursor
from api.state import State, StateOf
from api.teams.seats import Authoring, Reviewing, RoleTooLow, TeamNotFound
from api.text import CleanText

router = APIRouter(prefix="/teams/{team_id}/assessments", tags=["assessments"], route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound)
WRITE = (*READ, CrossSite, RoleTooLow)
CHANGE = (*WRITE, service.AssessmentNotFound)
MEANWHILE = "Somebody else saved this assessment meanwhile. Compare the two and save what you want to keep."
CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": AssessmentConflict, "description": "assessment_conflict or assessment_archived"}
}


@router.get("", responses=errors(*READ, BadCursor))
async def list_assessments(
    seat: Reviewing,
    state: StateOf,
    state_: Annotated[AssessmentState | None, Query(alias="state")] = None,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> AssessmentPage:
    """The team's assessments, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = service.listing(seat.team.id, state_ or "", before).limit(limit + 1)
    async with state.db.read() as session:
        rows = (await session.execute(query)).all()
    items = [assessment_card(assessment, name) for assessment, name in rows[:limit]]
    return AssessmentPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post("", status_code=201, responses=errors(*WRITE, service.TooManyAssessments))
async def create_assessment(body: NewAssessment, seat: Authoring, state: StateOf) -> AssessmentView:
    """Make an assessment: a draft, which may have problems until it is opened."""
    async with state.db.write() as session:
        made = await service.create(session, seat, body.name, body.plan)
        return await _view(session, state, made)


@router.get("/{assessment_id}", responses=errors(*READ, service.AssessmentNotFound))
async def get_assessment(assessment_id: Id, seat: Reviewing, state: StateOf) -> AssessmentView:
    """An assessment with its newest plan, what the plan comes to, and what is in the way of opening it."""
    async with state.db.read() as session:
        return await _view(session, state, await service.find(session, seat, assessment_id))


@router.put("/{assessment_id}", responses=errors(*CHANGE))
async def rename_assessment(
    assessment_id: Id, body: NamedAssessment, seat: Authoring, state: StateOf
) -> AssessmentView:
    """Call an assessment something else."""
    async with state.db.write() as session:
        assessment = await service.find_to_change(session, seat, assessment_id)
        assessment.name = body.name
        return await _view(session, state, assessment)


@router.put(
    "/{assessment_id}/plan",
    response_model=AssessmentView,
    responses={**errors(*CHANGE, versions.PlanUnusable), **CONFLICT},
)
async def save_plan(assessment_id: Id, body: NewPlan, seat: Authoring, state: StateOf) -> AssessmentView | JSONResponse:
    """Save the plan. 409 when somebody else saved since the version that you name; what is there comes along. Who has started
    already goes on with the plan of then. Of an open assessment every plan must be usable.
    """
    async with state.db.write() as session:
        assessment = await service.find_to_change(session, seat, assessment_id)
        catalogue = await catalogue_of(session, state.shelf, seat.team.id)
        taken = await service.save(session, assessment, body.version, body.plan, catalogue)
        shown = await _view(session, state, assessment)
    if taken:
        return shown
    told = AssessmentConflict(code="assessment_conflict", message=MEANWHILE, status=409, assessment=shown)
    return JSONResponse(told.model_dump(mode="json", exclude={"fields"}), status_code=409)


@router.get("/{assessment_id}/preview", responses=errors(*READ, service.AssessmentNotFound, versions.NoPlan))
async def preview_assessment(
    assessment_id: Id, seat: Reviewing, state: StateOf, seed: Annotated[int, Query(ge=0, lt=2**31)] = 0
) -> Preview:
    """What a candidate would be told and get; another seed is another candidate. Nothing is stored."""
    async with state.db.read() as session:
        assessment = await service.find(session, seat, assessment_id)
        version = await versions.newest(session, assessment_id)
        catalogue = await catalogue_of(session, state.shelf, seat.team.id)
    if version is None:
        raise versions.NoPlan
    return preview(seat.team.name, assessment.name, versions.plan_of(version), seed, catalogue)


@router.post(
    "/{assessment_id}/open",
    responses=errors(*CHANGE, service.AssessmentArchived, versions.NoPlan, versions.PlanUnusable),
)
async def open_assessment(assessment_id: Id, seat: Authoring, state: StateOf) -> AssessmentView:
    """Let candidates start."""
    async with state.db.write() as session:
        assessment = await service.find_to_change(session, seat, assessment_id)
        await service.open_up(session, assessment, await catalogue_of(session, state.shelf, seat.team.id))
        return await _view(session, state, assessment)


@router.post("/{assessment_id}/archive", responses=errors(*CHANGE))
async def archive_assessment(assessment_id: Id, seat: Authoring, state: StateOf) -> AssessmentView:
    """Put an assessment away: nobody starts any more, who has started goes on."""
    async with state.db.write() as session:
        assessment = await service.find_to_change(session, seat, assessment_id)
        service.archive(assessment)
        return await _view(session, state, assessment)


@router.post("/{assessment_id}/restore", responses=errors(*CHANGE))
async def restore_assessment(assessment_id: Id, seat: Authoring, state: StateOf) -> AssessmentView:
    """Make a draft again of what was archived."""
    async with state.db.write() as session:
        assessment = await service.find_to_change(session, seat, assessment_id)
        service.restore(assessment)
        return await _view(session, state, assessment)


@router.post("/{assessment_id}/clone", status_code=201, responses=errors(*CHANGE, service.TooManyAssessments))
async def clone_assessment(assessment_id: Id, seat: Authoring, state: StateOf) -> AssessmentView:
    """Make a new draft with the same plan."""
    async with state.db.write() as session:
        assessment = await service.find(session, seat, assessment_id)
        return await _view(session, state, await service.clone(session, seat, assessment))


@router.delete(
    "/{assessment_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(*CHANGE, service.AssessmentTaken),
)
async def delete_assessment(assessment_id: Id, seat: Authoring, state: StateOf) -> None:
    """Erase an assessment that nobody has taken."""
    async with state.db.write() as session:
        await service.delete(session, await service.find_to_change(session, seat, assessment_id))


async def _view(session: AsyncSession, state: State, assessment: Assessment) -> AssessmentView:
    version = await versions.newest(session, assessment.id)
    author = await service.author_of(session, assessment)
    return assessment_view(assessment, author, version, await catalogue_of(session, state.shelf, assessment.team_id))
