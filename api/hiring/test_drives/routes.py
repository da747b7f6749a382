"""Routes with which the members of a team try an assessment themselves."""

from fastapi import APIRouter

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.assessments.service import AssessmentArchived, AssessmentNotFound, find, find_to_change
from api.hiring.assessments.versions import NoPlan, PlanUnusable
from api.hiring.team_catalogue.service import catalogue_of
from api.hiring.teams.membership import AsReviewer, TeamNotFound
from api.hiring.test_drives import service
from api.hiring.test_drives.schemas import TestDriveMade, TestDrives, TestDriveView
from api.identity.sessions.current_account import Browser, SessionRequired
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(tags=["assessments"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}")
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound)


@router.get("/test-drives", responses=errors(*READ))
async def list_test_drives(assessment_id: Id, membership: AsReviewer, db: DatabaseDep) -> TestDrives:
    """List the test drives that members of the team have started, newest first."""
    async with db.read() as session:
        await find(session, membership, assessment_id)
        rows = await service.started(session, assessment_id)
    return TestDrives(
        items=[
            TestDriveView(
                participation_id=row.id,
                name=row.name,
                version=row.version,
                started_at=row.started_at,
                finished_at=row.finished_at,
            )
            for row in rows
        ]
    )


@router.post(
    "/test-drives",
    status_code=201,
    responses=errors(CrossSite, SessionRequired, *READ, AssessmentArchived, NoPlan, PlanUnusable),
)
async def create_test_drive(
    assessment_id: Id,
    _: Browser,
    membership: AsReviewer,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
) -> TestDriveMade:
    """Create a link with which you can take the assessment like a candidate. Nothing that you do with it counts. The saved plan
    is used, also that of a draft. Your earlier test drive of this assessment is erased.
    """
    async with db.write() as session:
        assessment = await find_to_change(session, membership, assessment_id)
        served = await catalogue_of(session, store, membership.team.id)
        made, token = await service.create(session, membership, assessment, served, store)
    return TestDriveMade(link=f"{settings.url}/take/{token}", expires_at=made.expires_at)
