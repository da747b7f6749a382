"""Routes to judge answers to a team's own challenge again, on its published version. With them, members find answers that were
judged on another version, start a rejudge, follow its progress, compare its results with the earlier ones, and apply or drop
it.
"""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, status
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.assessments.service import AssessmentNotFound
from api.hiring.assessments.service import find as find_assessment
from api.hiring.authoring.rejudges import service, views
from api.hiring.authoring.rejudges.schemas import (
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
from api.hiring.authoring.service import OwnChallengeNotFound
from api.hiring.authoring.service import find as find_challenge
from api.hiring.monitoring.routes import ForReviewer
from api.hiring.participations.service import ParticipationNotFound
from api.hiring.teams.membership import AsAuthor, AsReviewer, Membership, RoleTooLow, TeamNotFound
from api.identity.audit import service as audit
from api.identity.audit.service import Action, Actor
from api.identity.sessions.current_account import Caller, RequestOrigin
from api.judging.rejudges.models import OwnRejudge
from api.judging.rejudges.service import AlreadyRejudging, RejudgeEnded, RejudgeNotFound
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText

router = APIRouter(prefix="/teams/{team_id}", tags=["own challenges"], route_class=JsonRoute)
OF = "/challenges/{challenge_id}"
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]
READ = (NotSignedIn, TeamNotFound, OwnChallengeNotFound)
CHANGE = (*READ, CrossSite, RoleTooLow)
DECIDE = (*CHANGE, RejudgeNotFound, RejudgeEnded)


async def actor_of(caller: Caller, origin: RequestOrigin) -> Actor:
    """Return the caller as the actor for the audit log."""
    return Actor(caller, origin.address)


@dataclass(frozen=True)
class AddressedRejudge:
    """The rejudge that is named in the path, and the caller's membership in the team."""

    membership: Membership
    challenge_id: str
    rejudge_id: str

    async def find(self, session: AsyncSession, *, to_change: bool = False) -> OwnRejudge:
        """Return the rejudge. With `to_change`, it is locked until the end of the transaction. Raises `OwnChallengeNotFound`,
        `RejudgeNotFound`.
        """
        challenge = await find_challenge(session, self.membership, self.challenge_id)
        return await service.find(session, challenge, self.rejudge_id, to_change=to_change)


async def rejudge_for_reviewer(challenge_id: Id, rejudge_id: Id, membership: AsReviewer) -> AddressedRejudge:
    """FastAPI dependency for all members of the team. It returns the rejudge that is named in the path."""
    return AddressedRejudge(membership, challenge_id, rejudge_id)


async def rejudge_for_author(challenge_id: Id, rejudge_id: Id, membership: AsAuthor) -> AddressedRejudge:
    """FastAPI dependency for owners and authors. It returns the rejudge that is named in the path."""
    return AddressedRejudge(membership, challenge_id, rejudge_id)


ActingMember = Annotated[Actor, Depends(actor_of)]
RejudgeForReviewer = Annotated[AddressedRejudge, Depends(rejudge_for_reviewer)]
RejudgeForAuthor = Annotated[AddressedRejudge, Depends(rejudge_for_author)]


@router.get(f"{OF}/outdated", responses=errors(*READ))
async def list_outdated(
    challenge_id: Id, membership: AsReviewer, db: DatabaseDep, store: CatalogueStoreDep
) -> Outdated:
    """List the assessments in which answers of finished participations were judged on another version than the published one."""
    async with db.read() as session:
        wanted = await service.target(session, store, await find_challenge(session, membership, challenge_id))
        found = await service.outdated(session, wanted) if wanted else []
    names = ("id", "name", "people", "submissions")
    items = [OutdatedAssessment.model_validate(dict(zip(names, row, strict=True))) for row in found]
    return Outdated(version=wanted.number if wanted else None, assessments=items)


@router.post(
    f"{OF}/rejudges",
    status_code=status.HTTP_201_CREATED,
    responses=errors(*CHANGE, service.NothingToRejudge, AlreadyRejudging, TooManyRequests),
)
async def create_own_rejudge(
    challenge_id: Id,
    body: NewOwnRejudge,
    membership: AsAuthor,
    actor: ActingMember,
    db: DatabaseDep,
    store: CatalogueStoreDep,
) -> OwnRejudgeView:
    """Judge the answers of finished participations again on the published version of the challenge. New submissions take
    precedence over these answers in the queue. Results change only when the rejudge is applied.
    """
    async with db.write() as session:
        challenge = await find_challenge(session, membership, challenge_id, to_change=True)
        wanted = await service.target(session, store, challenge)
        row = await service.start(session, membership, wanted, body)
        audit.record(session, actor, Action.REJUDGE_OWN, challenge_id, rejudge=row.id)
        return (await views.views(session, [row]))[0]


@router.get(f"{OF}/rejudges", responses=errors(*READ, BadCursor))
async def list_own_rejudges(
    challenge_id: Id, membership: AsReviewer, db: DatabaseDep, cursor: Cursor = "", limit: Limit = 20
) -> OwnRejudgePage:
    """List the rejudges of a challenge with their progress, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        await find_challenge(session, membership, challenge_id)
        rows = list(await session.scalars(views.listing(challenge_id, before).limit(limit + 1)))
        items = await views.views(session, rows[:limit])
    return OwnRejudgePage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get(f"{OF}/rejudges/{{rejudge_id}}", responses=errors(*READ, RejudgeNotFound))
async def get_own_rejudge(addressed: RejudgeForReviewer, db: DatabaseDep) -> OwnRejudgeView:
    """Return a rejudge with its progress."""
    async with db.read() as session:
        return (await views.views(session, [await addressed.find(session)]))[0]


@router.get(f"{OF}/rejudges/{{rejudge_id}}/outcomes", responses=errors(*READ, RejudgeNotFound, BadCursor))
async def list_outcomes(
    addressed: RejudgeForReviewer, db: DatabaseDep, changed: bool = True, cursor: Cursor = "", limit: Limit = 50
) -> OutcomePage:
    """List the participations whose result the rejudge changes, with the result before and after. With `changed=false`, list
    those whose result stays the same.
    """
    place = decode_cursor(cursor, (str, int)) if cursor else None
    before = (str(place[0]), min(int(place[1]), 2**31 - 1)) if place else None
    async with db.read() as session:
        await addressed.find(session)
        query = views.outcomes(addressed.rejudge_id, changed=changed, before=before)
        rows = (await session.execute(query.limit(limit + 1))).all()
    items = [OutcomeView.model_validate(row) for row in rows[:limit]]
    last = items[-1] if len(rows) > limit else None
    return OutcomePage(items=items, next_cursor=encode_cursor(last.participation_id, last.position) if last else None)


@router.post(f"{OF}/rejudges/{{rejudge_id}}/apply", responses=errors(*DECIDE, service.RejudgeNotReady))
async def apply_own_rejudge(addressed: RejudgeForAuthor, actor: ActingMember, db: DatabaseDep) -> OwnRejudgeView:
    """Apply a rejudge: all its new results count from now on. The earlier results stay readable. Applying it again changes
    nothing.
    """
    async with db.write() as session:
        row = await addressed.find(session, to_change=True)
        if await service.apply(session, row, addressed.membership.account.id):
            audit.record(session, actor, Action.APPLY_REJUDGE, addressed.challenge_id, rejudge=row.id)
        return (await views.views(session, [row]))[0]


@router.post(f"{OF}/rejudges/{{rejudge_id}}/drop", responses=errors(*DECIDE))
async def drop_own_rejudge(addressed: RejudgeForAuthor, actor: ActingMember, db: DatabaseDep) -> OwnRejudgeView:
    """Drop a rejudge: its new results are discarded. Dropping it again changes nothing."""
    async with db.write() as session:
        row = await addressed.find(session, to_change=True)
        if await service.drop(session, row, addressed.membership.account.id):
            audit.record(session, actor, Action.DROP_REJUDGE, addressed.challenge_id, rejudge=row.id)
        return (await views.views(session, [row]))[0]


@router.get(
    "/assessments/{assessment_id}/rejudges", responses=errors(NotSignedIn, TeamNotFound, AssessmentNotFound, BadCursor)
)
async def list_applied_rejudges(
    assessment_id: Id, membership: AsReviewer, db: DatabaseDep, cursor: Cursor = "", limit: Limit = 20
) -> AppliedPage:
    """List the rejudges that were applied to an assessment, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        await find_assessment(session, membership, assessment_id)
        items = await views.applied_to(session, assessment_id, before, limit + 1)
    more = len(items) > limit
    return AppliedPage(items=items[:limit], next_cursor=encode_cursor(items[limit - 1].id) if more else None)


@router.get(
    "/assessments/{assessment_id}/participations/{participation_id}/rejudges",
    responses=errors(NotSignedIn, TeamNotFound, AssessmentNotFound, ParticipationNotFound),
)
async def list_rejudged_items(addressed: ForReviewer, db: DatabaseDep) -> RejudgedItems:
    """List the rejudged items of a participation, with their results before and after the rejudge."""
    async with db.read() as session:
        await addressed.find(session)
        return RejudgedItems(items=await views.of_person(session, addressed.participation_id))
