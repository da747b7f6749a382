"""Routes for members of a team who show the report about a candidate to people without an account."""

from fastapi import APIRouter

from api.hiring.monitoring.routes import CHANGE, ONE, ForAuthor, ForReviewer
from api.hiring.report_links import service
from api.hiring.report_links.schemas import MadeReportLink, NewReportLink, ReportLinks, ReportLinkView
from api.hiring.taking.candidate_request import Received
from api.kit.errors import errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(
    tags=["reporting"],
    route_class=JsonRoute,
    prefix="/teams/{team_id}/assessments/{assessment_id}/participations/{participation_id}/report-links",
)


@router.get("", responses=errors(*ONE))
async def list_report_links(addressed: ForReviewer, db: DatabaseDep) -> ReportLinks:
    """List the links to the report about a candidate, with their openings."""
    async with db.read() as session:
        run = await addressed.find(session)
        return ReportLinks(items=await service.views(session, run.row.id))


@router.post("", status_code=201, responses=errors(*CHANGE, service.TooManyReportLinks))
async def create_report_link(
    body: NewReportLink, addressed: ForAuthor, db: DatabaseDep, settings: SettingsDep, moment: Received
) -> MadeReportLink:
    """Create a link to the report. Anyone who has the link can read the report without an account, until it expires or is
    revoked.
    """
    account = addressed.membership.account
    async with db.write() as session:
        run = await addressed.find(session)
        row, token = await service.create(session, run.row.id, account.id, body.days, moment)
        await addressed.record(session, "report.share", f"for {body.days} days")
        shown = await service.view(session, row, account.name)
    return MadeReportLink(**shown.model_dump(), link=f"{settings.url}/report/{token}")


@router.post("/{link_id}/revoke", responses=errors(*CHANGE, service.ReportLinkNotFound))
async def revoke_report_link(link_id: Id, addressed: ForAuthor, db: DatabaseDep, moment: Received) -> ReportLinkView:
    """Revoke a link to the report. It stops working immediately."""
    async with db.write() as session:
        run = await addressed.find(session)
        row = await service.revoke(session, run.row.id, link_id, moment)
        await addressed.record(session, "report.revoke")
        return await service.view(session, row, None)
