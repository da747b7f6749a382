"""For applicant tracking systems, with a token of a team: open assessments, inviting, where somebody stands, what has changed."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.assessments.service import AssessmentNotFound
from api.bodies import JsonRoute
from api.db import now
from api.errors import BadCursor, NotSignedIn, TooManyRequests, errors
from api.ids import Id, first_id
from api.invitations import service as invitations
from api.invitations.service import InvitationNotFound
from api.pagination import decode_cursor, encode_cursor
from api.participations.routes import Received
from api.state import StateOf
from api.text import CleanText
from api.tracking import service
from api.tracking.schemas import (
    Change,
    ChangePage,
    NewTrackedInvitation,
    TrackedAssessment,
    TrackedAssessmentPage,
    TrackedInvitation,
    TrackedInvitationMade,
    TrackedLink,
)
from api.tracking.tokens import AnyProgram, Inviting, Reading, ScopeMissing
from api.webhooks import events

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
# What was begun earlier may be committed later: after so long nothing comes in between any more.
SETTLED_S = 2.0


@router.get("/assessments", responses=errors(*ASKED, BadCursor))
async def list_open_assessments(
    program: AnyProgram, state: StateOf, cursor: Cursor = "", limit: Limit = 50
) -> TrackedAssessmentPage:
    """What people can be invited to, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        rows = (await session.scalars(service.open_ones(program.team.id, before).limit(limit + 1))).all()
    page = f"{state.settings.url}/teams/{program.team.id}/assessments"
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
            "description": "The reference was there before: nobody is invited twice.",
        },
    },
)
async def invite_tracked(
    assessment_id: Id,
    body: NewTrackedInvitation,
    program: Inviting,
    response: Response,
    state: StateOf,
    moment: Received,
) -> TrackedInvitationMade:
    """Invite one person. Sent again with the same reference it changes nothing, so it may be repeated until it is answered."""
    async with state.db.write() as session:
        tracked, token = await service.invite(session, program, assessment_id, body)
        shown = await service.shown(session, tracked, state.settings.url, moment)
    if token is None:
        response.status_code = 200
    link = f"{state.settings.url}/take/{token}" if token else None
    return TrackedInvitationMade(**shown.model_dump(), link=link)


@router.get("/invitations/{invitation_id}", responses=errors(*ONE))
async def get_tracked_invitation(
    invitation_id: Id, program: Reading, state: StateOf, moment: Received
) -> TrackedInvitation:
    """Where somebody stands: invited, started, finished, judged; with scores and the page of the report."""
    async with state.db.read() as session:
        tracked = await service.find(session, program, invitation_id)
        return await service.shown(session, tracked, state.settings.url, moment)


@router.post("/invitations/{invitation_id}/link", responses=errors(*ONE, invitations.InvitationClosed))
async def renew_tracked_link(invitation_id: Id, program: Inviting, state: StateOf) -> TrackedLink:
    """Another link, where the first was lost, and a letter if there is an address; earlier links are worthless."""
    async with state.db.write() as session:
        tracked = await service.find(session, program, invitation_id)
        token = await invitations.send_again(session, tracked.assessment, tracked.invitation)
    return TrackedLink(link=f"{state.settings.url}/take/{token}")


@router.post("/invitations/{invitation_id}/revoke", responses=errors(*ONE))
async def revoke_tracked_invitation(
    invitation_id: Id, program: Inviting, state: StateOf, moment: Received
) -> TrackedInvitation:
    """Nobody can start with it any more; what was started goes on. Revoking twice is harmless."""
    async with state.db.write() as session:
        tracked = await service.find(session, program, invitation_id)
        invitations.revoke(tracked.invitation)
        return await service.shown(session, tracked, state.settings.url, moment)


@router.get("/changes", responses=errors(*ASKED, ScopeMissing, BadCursor))
async def list_changes(program: Reading, state: StateOf, cursor: Cursor = "", limit: Limit = 100) -> ChangePage:
    """What happened since a cursor, oldest first: for systems that cannot be called by webhooks, or have missed some. What was
    erased since is not told any more.
    """
    after = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    before = first_id(now() - timedelta(seconds=SETTLED_S))
    async with state.db.read() as session:
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
