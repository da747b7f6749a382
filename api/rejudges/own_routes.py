"""Judging a team's own challenge again on its newer version: what would be judged, begin, watch, what changes, apply or drop."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, status
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.identity import Caller, RequestOrigin
from api.assessments.service import AssessmentNotFound
from api.assessments.service import find as find_assessment
from api.audit import service as audit
from api.audit.service import Action, Actor
from api.bodies import JsonRoute
from api.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.own.service import OwnChallengeNotFound
from api.own.service import find as find_challenge
from api.pagination import decode_cursor, encode_cursor
from api.participations.service import ParticipationNotFound
from api.participations.watching_routes import One
from api.rejudges import own, own_views
from api.rejudges.models import OwnRejudge
from api.rejudges.own_schemas import (
    AppliedPage,
    NewOwnRejudge,
    OutcomePage,
    OutcomeView,
    Outdated,
    OutdatedAssessment,
    OwnRejudgePage,
    OwnRejudgeView,
    RejudgedItems,
)
from api.rejudges.service import AlreadyRejudging, RejudgeEnded, RejudgeNotFound
from api.state import StateOf
from api.teams.seats import Authoring, Reviewing, RoleTooLow, Seat, TeamNotFound
from api.text import CleanText

router = APIRouter(prefix="/teams/{team_id}", tags=["own challenges"], route_class=JsonRoute)
OF = "/challenges/{challenge_id}"
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]
READ = (NotSignedIn, TeamNotFound, OwnChallengeNotFound)
CHANGE = (*READ, CrossSite, RoleTooLow)
DECIDE = (*CHANGE, RejudgeNotFound, RejudgeEnded)


async def acting(caller: Caller, origin: RequestOrigin) -> Actor:
    """Whoever sends a request that will be on record."""
    return Actor(caller, origin.address)


@dataclass(frozen=True)
class Named:
    """The rejudge that an address names, for somebody of the team."""

    seat: Seat
    challenge_id: str
    rejudge_id: str

    async def find(self, session: AsyncSession, *, to_change: bool = False) -> OwnRejudge:
        """The rejudge. Raises `OwnChallengeNotFound`, `RejudgeNotFound`."""
        challenge = await find_challenge(session, self.seat, self.challenge_id)
        return await own.find(session, challenge, self.rejudge_id, to_change=to_change)


async def named(challenge_id: Id, rejudge_id: Id, seat: Reviewing) -> Named:
    """For anybody in the team."""
    return Named(seat, challenge_id, rejudge_id)


async def named_to_change(challenge_id: Id, rejudge_id: Id, seat: Authoring) -> Named:
    """For authors."""
    return Named(seat, challenge_id, rejudge_id)


Doing = Annotated[Actor, Depends(acting)]
This = Annotated[Named, Depends(named)]
ThisToChange = Annotated[Named, Depends(named_to_change)]


@router.get(f"{OF}/outdated", responses=errors(*READ))
async def list_outdated(challenge_id: Id, seat: Reviewing, state: StateOf) -> Outdated:
    """Assessments in which finished answers count by another version than the published one."""
    async with state.db.read() as session:
        wanted = await own.target(session, state.shelf, await find_challenge(session, seat, challenge_id))
        found = await own.outdated(session, wanted) if wanted else []
    names = ("id", "name", "people", "submissions")
    items = [OutdatedAssessment.model_validate(dict(zip(names, row, strict=True))) for row in found]
    return Outdated(version=wanted.number if wanted else None, assessments=items)


@router.post(
    f"{OF}/rejudges",
    status_code=status.HTTP_201_CREATED,
    responses=errors(*CHANGE, own.NothingToRejudge, AlreadyRejudging, TooManyRequests),
)
async def create_own_rejudge(
    challenge_id: Id, body: NewOwnRejudge, seat: Authoring, doer: Doing, state: StateOf
) -> OwnRejudgeView:
    """Have finished answers judged on the published version, behind what people send meanwhile. Nothing counts until it is
    applied.
    """
    async with state.db.write() as session:
        challenge = await find_challenge(session, seat, challenge_id, to_change=True)
        wanted = await own.target(session, state.shelf, challenge)
        row = await own.start(session, seat, wanted, body.assessments)
        audit.record(session, doer, Action.REJUDGE_OWN, challenge_id, rejudge=row.id)
        return (await own_views.views(session, [row]))[0]


@router.get(f"{OF}/rejudges", responses=errors(*READ, BadCursor))
async def list_own_rejudges(
    challenge_id: Id, seat: Reviewing, state: StateOf, cursor: Cursor = "", limit: Limit = 20
) -> OwnRejudgePage:
    """Rejudges of a challenge, newest first, with how far they are."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        await find_challenge(session, seat, challenge_id)
        rows = list(await session.scalars(own_views.listing(challenge_id, before).limit(limit + 1)))
        items = await own_views.views(session, rows[:limit])
    return OwnRejudgePage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get(f"{OF}/rejudges/{{rejudge_id}}", responses=errors(*READ, RejudgeNotFound))
async def get_own_rejudge(this: This, state: StateOf) -> OwnRejudgeView:
    """One rejudge, and how far it is."""
    async with state.db.read() as session:
        return (await own_views.views(session, [await this.find(session)]))[0]


@router.get(f"{OF}/rejudges/{{rejudge_id}}/outcomes", responses=errors(*READ, RejudgeNotFound, BadCursor))
async def list_outcomes(
    this: This, state: StateOf, changed: bool = True, cursor: Cursor = "", limit: Limit = 50
) -> OutcomePage:
    """For whom it changes something, with before and after; or, with `changed=false`, for whom it changes nothing."""
    place = decode_cursor(cursor, (str, int)) if cursor else None
    before = (str(place[0]), min(int(place[1]), 2**31 - 1)) if place else None
    async with state.db.read() as session:
        await this.find(session)
        query = own_views.outcomes(this.rejudge_id, changed=changed, before=before)
        rows = (await session.execute(query.limit(limit + 1))).all()
    items = [OutcomeView.model_validate(row) for row in rows[:limit]]
    last = items[-1] if len(rows) > limit else None
    return OutcomePage(items=items, next_cursor=encode_cursor(last.participation_id, last.position) if last else None)


@router.post(f"{OF}/rejudges/{{rejudge_id}}/apply", responses=errors(*DECIDE, own.RejudgeNotReady))
async def apply_own_rejudge(this: ThisToChange, doer: Doing, state: StateOf) -> OwnRejudgeView:
    """Let the new judgings count, all at once. What they came to before stays readable. Doing it twice changes nothing."""
    async with state.db.write() as session:
        row = await this.find(session, to_change=True)
        if await own.apply(session, row, this.seat.account.id):
            audit.record(session, doer, Action.APPLY_REJUDGE, this.challenge_id, rejudge=row.id)
        return (await own_views.views(session, [row]))[0]


@router.post(f"{OF}/rejudges/{{rejudge_id}}/drop", responses=errors(*DECIDE))
async def drop_own_rejudge(this: ThisToChange, doer: Doing, state: StateOf) -> OwnRejudgeView:
    """Let everything count as it does. Doing it twice changes nothing."""
    async with state.db.write() as session:
        row = await this.find(session, to_change=True)
        if await own.drop(session, row, this.seat.account.id):
            audit.record(session, doer, Action.DROP_REJUDGE, this.challenge_id, rejudge=row.id)
        return (await own_views.views(session, [row]))[0]


@router.get(
    "/assessments/{assessment_id}/rejudges", responses=errors(NotSignedIn, TeamNotFound, AssessmentNotFound, BadCursor)
)
async def list_applied_rejudges(
    assessment_id: Id, seat: Reviewing, state: StateOf, cursor: Cursor = "", limit: Limit = 20
) -> AppliedPage:
    """Rejudges that were applied to an assessment, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        await find_assessment(session, seat, assessment_id)
        items = await own_views.applied_to(session, assessment_id, before, limit + 1)
    more = len(items) > limit
    return AppliedPage(items=items[:limit], next_cursor=encode_cursor(items[limit - 1].id) if more else None)


@router.get(
    "/assessments/{assessment_id}/participations/{participation_id}/rejudges",
    responses=errors(NotSignedIn, TeamNotFound, AssessmentNotFound, ParticipationNotFound),
)
async def list_rejudged_items(one: One, state: StateOf) -> RejudgedItems:
    """What was rejudged of a participation, and what it had come to before."""
    async with state.db.read() as session:
        await one.find(session)
        return RejudgedItems(items=await own_views.of_person(session, one.participation_id))
