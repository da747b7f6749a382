"""Routes for the invitations to an assessment: invite one or many candidates, by email or by link, and change these
invitations.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.assessments.service import AssessmentNotFound, find, find_to_change
from api.hiring.invitations import csv_import, service
from api.hiring.invitations.models import Invitation
from api.hiring.invitations.schemas import (
    InvitationMade,
    InvitationsMade,
    InvitationView,
    NewExtraTime,
    NewInvitations,
    invitation_view,
)
from api.hiring.invitations.service import InvitationRequest
from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsAuthor, Membership, RoleTooLow, TeamNotFound
from api.identity.sessions.current_account import Browser, SessionRequired
from api.kit.db.database import Database
from api.kit.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id
from api.settings import Settings

router = APIRouter(tags=["invitations"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}")
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound)
WRITE = (CrossSite, SessionRequired, *READ, RoleTooLow)
ONE = (*WRITE, service.InvitationNotFound)
INVITE = (*WRITE, service.NotOpen, service.InvitedAlready, service.TooManyInvitations, TooManyRequests)
CSV = {
    "requestBody": {
        "required": True,
        "content": {
            "text/csv": {"schema": {"type": "string"}, "example": "email,name,extra_minutes\neve@example.org,Eve,15\n"}
        },
    }
}


@router.post("/invitations", status_code=201, responses=errors(*INVITE))
async def invite(
    assessment_id: Id, body: NewInvitations, _: Browser, membership: AsAuthor, db: DatabaseDep, settings: SettingsDep
) -> InvitationsMade:
    """Invite candidates. The links in the response are shown only once. With `letters`, each candidate with an email address
    also gets a separate link by email, if this site sends email.
    """
    wanted = InvitationRequest(
        body.people,
        body.days,
        body.letters and settings.sends_mail,
        membership.account.id,
        lambda number: f"people.{number}.email",
    )
    return await _invite(db, settings, membership, assessment_id, wanted)


@router.post("/invitations/csv", status_code=201, openapi_extra=CSV, responses=errors(*INVITE, csv_import.BadSheet))
async def invite_by_csv(
    assessment_id: Id,
    request: Request,
    _: Browser,
    membership: AsAuthor,
    db: DatabaseDep,
    settings: SettingsDep,
    days: Annotated[int, Query(ge=1, le=90)] = 14,
) -> InvitationsMade:
    """Invite all candidates in a CSV list. Its first line names the columns: `email` and optionally `name`, `extra_minutes`
    and `time_percent`. If any line is invalid, nobody is invited, and the invalid lines are reported.
    """
    read = csv_import.read(await request.body())
    wanted = InvitationRequest(
        read.people, days, settings.sends_mail, membership.account.id, lambda number: f"line {read.lines[number]}"
    )
    return await _invite(db, settings, membership, assessment_id, wanted)


@router.post("/invitations/{invitation_id}/resend", responses=errors(*ONE, service.InvitationClosed, TooManyRequests))
async def resend_invitation(
    assessment_id: Id, invitation_id: Id, _: Browser, membership: AsAuthor, db: DatabaseDep, settings: SettingsDep
) -> InvitationMade:
    """Create a new link, shown only once, and send an email if the invitation has an address. Earlier links stop working."""
    async with db.write() as session:
        assessment, row = await _find(session, membership, assessment_id, invitation_id)
        token = await service.send_again(session, assessment, row, sends_mail=settings.sends_mail)
        activity_log.record(session, membership, "invitation.resend", assessment.id, assessment.name)
    return _made(settings, row, token)


@router.post(
    "/invitations/{invitation_id}/remind",
    responses=errors(*ONE, service.InvitationClosed, service.NoAddress, service.NoMailServer, TooManyRequests),
)
async def remind_of_invitation(
    assessment_id: Id, invitation_id: Id, _: Browser, membership: AsAuthor, db: DatabaseDep, settings: SettingsDep
) -> InvitationView:
    """Send a reminder to start. A candidate who was invited by email also gets one automatic reminder, during the last day
    before the invitation expires.
    """
    async with db.write() as session:
        assessment, row = await _find(session, membership, assessment_id, invitation_id)
        await service.remind(session, assessment, row, sends_mail=settings.sends_mail)
    return invitation_view(row)


@router.post("/invitations/{invitation_id}/revoke", responses=errors(*ONE))
async def revoke_invitation(
    assessment_id: Id, invitation_id: Id, _: Browser, membership: AsAuthor, db: DatabaseDep
) -> InvitationView:
    """Revoke an invitation, so that it can no longer be used to start. A participation that has started continues. Revoking
    it again changes nothing.
    """
    async with db.write() as session:
        assessment, row = await _find(session, membership, assessment_id, invitation_id)
        service.revoke(row)
        activity_log.record(session, membership, "invitation.revoke", assessment.id, assessment.name)
    return invitation_view(row)


@router.put("/invitations/{invitation_id}/extra-time", responses=errors(*ONE))
async def set_extra_time(
    assessment_id: Id, invitation_id: Id, body: NewExtraTime, _: Browser, membership: AsAuthor, db: DatabaseDep
) -> InvitationView:
    """Set the extra time of one candidate. It applies to attempts that start after this request."""
    async with db.write() as session:
        assessment, row = await _find(session, membership, assessment_id, invitation_id)
        activity_log.record(session, membership, "invitation.extra_time", assessment.id, assessment.name)
        row.extra_minutes, row.time_percent = body.extra_minutes, body.time_percent
    return invitation_view(row)


async def _invite(
    db: Database, settings: Settings, membership: Membership, assessment_id: str, wanted: InvitationRequest
) -> InvitationsMade:
    async with db.write() as session:
        assessment = await find_to_change(session, membership, assessment_id)
        made = await service.invite(session, assessment, wanted)
        activity_log.record(session, membership, "invitation.send", assessment.id, assessment.name, str(len(made)))
    return InvitationsMade(items=[_made(settings, row, token) for row, token in made])


async def _find(
    session: AsyncSession, membership: Membership, assessment_id: str, invitation_id: str
) -> tuple[Assessment, Invitation]:
    assessment = await find(session, membership, assessment_id)
    return assessment, await service.find(session, assessment_id, invitation_id)


def _made(settings: Settings, row: Invitation, token: str) -> InvitationMade:
    return InvitationMade(**invitation_view(row).model_dump(), link=f"{settings.url}/take/{token}")
