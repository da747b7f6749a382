"""Inviting people to an assessment: one or many, by letter or by a link, and what can be done about an invitation afterwards."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.identity import Browser, SessionRequired
from api.assessments.models import Assessment
from api.assessments.service import AssessmentNotFound, find, find_to_change
from api.bodies import JsonRoute
from api.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.invitations import service, sheet
from api.invitations.models import Invitation
from api.invitations.schemas import (
    InvitationMade,
    InvitationPage,
    InvitationsMade,
    InvitationView,
    NewExtraTime,
    NewInvitations,
    WantedInvitations,
    invitation_view,
)
from api.invitations.service import Wanted
from api.pagination import decode_cursor, encode_cursor
from api.state import State, StateOf
from api.teams.seats import Authoring, Reviewing, RoleTooLow, Seat, TeamNotFound

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


@router.get("/invitations", responses=errors(*READ, BadCursor))
async def list_invitations(
    assessment_id: Id, wanted: Annotated[WantedInvitations, Query()], seat: Reviewing, state: StateOf
) -> InvitationPage:
    """Who is invited, newest first."""
    before = str(decode_cursor(wanted.cursor, (str,))[0]) if wanted.cursor else ""
    query = service.listing(assessment_id, wanted.q.strip(), wanted.state, before).limit(wanted.limit + 1)
    async with state.db.read() as session:
        await find(session, seat, assessment_id)
        rows = (await session.scalars(query)).all()
    items = [invitation_view(row) for row in rows[: wanted.limit]]
    more = len(rows) > wanted.limit
    return InvitationPage(items=items, next_cursor=encode_cursor(items[-1].id) if more else None)


@router.post("/invitations", status_code=201, responses=errors(*INVITE))
async def invite(
    assessment_id: Id, body: NewInvitations, _: Browser, seat: Authoring, state: StateOf
) -> InvitationsMade:
    """Invite people. Links are shown this once; whoever has an e-mail gets one of their own by letter."""
    wanted = Wanted(body.people, body.days, body.letters, seat.account.id, lambda number: f"people.{number}.email")
    return await _invite(state, seat, assessment_id, wanted)


@router.post("/invitations/csv", status_code=201, openapi_extra=CSV, responses=errors(*INVITE, sheet.BadSheet))
async def invite_by_csv(
    assessment_id: Id,
    request: Request,
    _: Browser,
    seat: Authoring,
    state: StateOf,
    days: Annotated[int, Query(ge=1, le=90)] = 14,
) -> InvitationsMade:
    """Invite everybody in a list: CSV whose first line names the columns `email`, and perhaps `name` and `extra_minutes`. Either
    all lines are good, or nobody is invited and every bad one is named.
    """
    read = sheet.read(await request.body())
    wanted = Wanted(read.people, days, True, seat.account.id, lambda number: f"line {read.lines[number]}")
    return await _invite(state, seat, assessment_id, wanted)


@router.post("/invitations/{invitation_id}/resend", responses=errors(*ONE, service.InvitationClosed, TooManyRequests))
async def resend_invitation(
    assessment_id: Id, invitation_id: Id, _: Browser, seat: Authoring, state: StateOf
) -> InvitationMade:
    """A new link, shown this once, and a letter if there is an address; earlier links are worthless."""
    async with state.db.write() as session:
        assessment, row = await _find(session, seat, assessment_id, invitation_id)
        token = await service.send_again(session, assessment, row)
    return _made(state, row, token)


@router.post(
    "/invitations/{invitation_id}/remind",
    responses=errors(*ONE, service.InvitationClosed, service.NoAddress, TooManyRequests),
)
async def remind_of_invitation(
    assessment_id: Id, invitation_id: Id, _: Browser, seat: Authoring, state: StateOf
) -> InvitationView:
    """Another letter to somebody who has not started. Whoever was sent a letter is reminded by itself on the last day, once."""
    async with state.db.write() as session:
        assessment, row = await _find(session, seat, assessment_id, invitation_id)
        await service.remind(session, assessment, row)
    return invitation_view(row)


@router.post("/invitations/{invitation_id}/revoke", responses=errors(*ONE))
async def revoke_invitation(
    assessment_id: Id, invitation_id: Id, _: Browser, seat: Authoring, state: StateOf
) -> InvitationView:
    """Nobody can start with it any more; what was started goes on. Revoking twice is harmless."""
    async with state.db.write() as session:
        _assessment, row = await _find(session, seat, assessment_id, invitation_id)
        service.revoke(row)
    return invitation_view(row)


@router.put("/invitations/{invitation_id}/extra-time", responses=errors(*ONE))
async def set_extra_time(
    assessment_id: Id, invitation_id: Id, body: NewExtraTime, _: Browser, seat: Authoring, state: StateOf
) -> InvitationView:
    """Give one person longer than others, from the next start on."""
    async with state.db.write() as session:
        _assessment, row = await _find(session, seat, assessment_id, invitation_id)
        row.extra_minutes = body.extra_minutes
    return invitation_view(row)


async def _invite(state: State, seat: Seat, assessment_id: str, wanted: Wanted) -> InvitationsMade:
    async with state.db.write() as session:
        assessment = await find_to_change(session, seat, assessment_id)
        made = await service.invite(session, assessment, wanted)
    return InvitationsMade(items=[_made(state, row, token) for row, token in made])


async def _find(
    session: AsyncSession, seat: Seat, assessment_id: str, invitation_id: str
) -> tuple[Assessment, Invitation]:
    assessment = await find(session, seat, assessment_id)
    return assessment, await service.find(session, assessment_id, invitation_id)


def _made(state: State, row: Invitation, token: str) -> InvitationMade:
    return InvitationMade(**invitation_view(row).model_dump(), link=f"{state.settings.url}/take/{token}")
