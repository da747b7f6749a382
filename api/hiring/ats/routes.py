"""Routes for applicant tracking systems, used with a team's token: list open assessments, invite candidates, read the state
of invitations, and list changes.
"""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.hiring.assessments.service import AssessmentNotFound
from api.hiring.ats import service
from api.hiring.ats.schemas import (
    Change,
    ChangePage,
    NewTrackedInvitation,
    TrackedAssessment,
    TrackedAssessmentPage,
    TrackedInvitation,
    TrackedInvitationMade,
    TrackedLink,
)
from api.hiring.ats.tokens import AnyProgram, Inviting, Reading, ScopeMissing
from api.hiring.invitations import service as invitations
from api.hiring.invitations.service import InvitationNotFound
from api.hiring.taking.candidate_request import Received
from api.hiring.webhooks import events
from api.kit.db.database import now
from api.kit.errors import BadCursor, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id, first_id
from api.kit.text import CleanText

router = APIRouter(tags=["tracking"], route_class=JsonRoute, prefix="/tracking")
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]
ASKED = (NotSignedIn, TooManyRequests)
ONE = (*ASKED, ScopeMissing, InvitationNotFound)
INVITE = (
    *ASKED,
    ScopeMissing,
    AssessmentNotFound,
    service.ReferenceUsed,
    invitations.NotOpen,
    invitations.InvitedAlready,
    invitations.TooManyInvitations,
)
# Events that are younger than this number of seconds are not listed yet. The IDs of events are assigned before their
# transactions commit, so an event with a smaller ID can become visible after an event with a larger ID. If the larger ID had
# already been listed, the cursor would skip the event with the smaller ID.
SETTLED_S = 2.0


@router.get("/assessments", responses=errors(*ASKED, BadCursor))
async def list_open_assessments(
    program: AnyProgram, db: DatabaseDep, settings: SettingsDep, cursor: Cursor = "", limit: Limit = 50
) -> TrackedAssessmentPage:
    """List the assessments to which candidates can be invited, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        rows = (await session.scalars(service.open_assessments(program.team.id, before).limit(limit + 1))).all()
    page = f"{settings.url}/teams/{program.team.id}/assessments"
    items = [
        TrackedAssessment(id=row.id, name=row.name, created_at=row.created_at, page=f"{page}/{row.id}")
        for row in rows[:limit]
    ]
    return TrackedAssessmentPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(
    "/assessments/{assessment_id}/invitations",
    status_code=201,
    responses={
        **errors(*INVITE),
        200: {
            "model": TrackedInvitationMade,
            "description": "The reference exists already; no second invitation is created.",
        },
    },
)
async def invite_tracked(
    assessment_id: Id,
    body: NewTrackedInvitation,
    program: Inviting,
    response: Response,
    db: DatabaseDep,
    settings: SettingsDep,
    moment: Received,
) -> TrackedInvitationMade:
    """Invite one candidate. The request can be repeated until it succeeds: a second request with the same reference creates no
    second invitation.
    """
    async with db.write() as session:
        tracked, token = await service.invite(session, program, assessment_id, body, sends_mail=settings.sends_mail)
        shown = await service.shown(session, tracked, settings.url, moment)
    if token is None:
        response.status_code = 200
    link = f"{settings.url}/take/{token}" if token else None
    return TrackedInvitationMade(**shown.model_dump(), link=link)


@router.get("/invitations/{invitation_id}", responses=errors(*ONE))
async def get_tracked_invitation(
    invitation_id: Id, program: Reading, db: DatabaseDep, settings: SettingsDep, moment: Received
) -> TrackedInvitation:
    """Return an invitation with its state (invited, expired, revoked, started, finished or judged), the scores of each attempt,
    and links to the reports.
    """
    async with db.read() as session:
        tracked = await service.find(session, program, invitation_id)
        return await service.shown(session, tracked, settings.url, moment)


@router.post("/invitations/{invitation_id}/link", responses=errors(*ONE, invitations.InvitationClosed))
async def renew_tracked_link(
    invitation_id: Id, program: Inviting, db: DatabaseDep, settings: SettingsDep
) -> TrackedLink:
    """Create a new link, for example because the first link was lost. If the invitation has an email address, an email with a
    separate link is also sent. Earlier links stop working.
    """
    async with db.write() as session:
        tracked = await service.find(session, program, invitation_id)
        token = await invitations.send_again(
            session, tracked.assessment, tracked.invitation, sends_mail=settings.sends_mail
        )
    return TrackedLink(link=f"{settings.url}/take/{token}")


@router.post("/invitations/{invitation_id}/revoke", responses=errors(*ONE))
async def revoke_tracked_invitation(
    invitation_id: Id, program: Inviting, db: DatabaseDep, settings: SettingsDep, moment: Received
) -> TrackedInvitation:
    """Revoke an invitation, so that it can no longer be used to start. A participation that has started continues. Revoking
    it again changes nothing.
    """
    async with db.write() as session:
        tracked = await service.find(session, program, invitation_id)
        invitations.revoke(tracked.invitation)
        return await service.shown(session, tracked, settings.url, moment)


@router.get("/changes", responses=errors(*ASKED, ScopeMissing, BadCursor))
async def list_changes(program: Reading, db: DatabaseDep, cursor: Cursor = "", limit: Limit = 100) -> ChangePage:
    """List the events since a cursor, oldest first. This route is for systems that cannot receive webhooks or have missed some
    messages. Events of erased participations are no longer listed.
    """
    after = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    before = first_id(now() - timedelta(seconds=SETTLED_S))
    async with db.read() as session:
        rows = (await session.scalars(events.since(program.team.id, after, before).limit(limit + 1))).all()
    items = [
        Change.model_validate(
            {
                "id": row.id,
                "type": row.kind,
                "timestamp": row.at,
                "assessment_id": row.assessment_id,
                "invitation_id": row.invitation_id,
                "participation_id": row.participation_id,
            }
        )
        for row in rows[:limit]
    ]
    last = items[-1].id if items else after
    return ChangePage(items=items, next_cursor=encode_cursor(last), more=len(rows) > limit)
