"""Routes for outages. Reporting an outage gives the lost time back to candidates. The list of outages says how much time each
candidate got back.
"""

from fastapi import APIRouter

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.assessments.service import AssessmentNotFound, find, find_to_change
from api.hiring.monitoring import outages
from api.hiring.monitoring.schemas import (
    Affected,
    NewOutage,
    OutageReport,
    Outages,
)
from api.hiring.taking.candidate_request import Received
from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsOwner, RoleTooLow, TeamNotFound
from api.identity.sessions.current_account import Browser, SessionRequired
from api.judging.dispatch.dispatcher import DispatcherDep
from api.judging.submissions.events import EventHubDep
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(
    tags=["participations"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}/outages"
)
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound, RoleTooLow)


@router.get("", responses=errors(*READ))
async def list_outages(assessment_id: Id, membership: AsOwner, db: DatabaseDep, moment: Received) -> Outages:
    """List outages, newest first, with the members who reported them and the time that each candidate got back."""
    async with db.read() as session:
        await find(session, membership, assessment_id)
        return Outages(items=await outages.outage_views(session, assessment_id, moment))


@router.post(
    "", status_code=201, responses=errors(CrossSite, SessionRequired, *READ, outages.NotOverYet, outages.TooManyOutages)
)
async def report_outage(
    assessment_id: Id,
    body: NewOutage,
    _: Browser,
    membership: AsOwner,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
    hub: EventHubDep,
    moment: Received,
) -> OutageReport:
    """Report an outage, and give its time back to all affected candidates. Time that several outages cover counts once."""
    async with db.write() as session:
        assessment = await find_to_change(session, membership, assessment_id)
        activity_log.record(session, membership, "outage.report", assessment.id, assessment.name)
        outage = await outages.report(session, assessment_id, body, membership.account.id, moment)
        affected = await outages.give_back(session, outage, settings, store, moment)
    dispatcher.wake()
    for row in affected:
        hub.notify(row.account_id)
    people = [Affected.model_validate(row) for row in affected[: outages.PEOPLE]]
    return OutageReport(
        id=outage.id, begins_at=outage.begins_at, ends_at=outage.ends_at, affected=len(affected), people=people
    )
