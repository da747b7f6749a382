"""A team's own challenges: list, make, save, have them proven, publish."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, status
from fastapi.responses import JSONResponse

from api.bodies import JsonRoute
from api.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.ids import Id
from api.own import service, views
from api.own.models import OwnChallenge
from api.own.schemas import NewFiles, NewOwnChallenge, OwnConflict, OwnPage, OwnState, OwnView
from api.pagination import decode_cursor, encode_cursor
from api.state import StateOf
from api.teams.seats import Authoring, Reviewing, RoleTooLow, TeamNotFound
from api.text import CleanText
from grader import authored

router = APIRouter(prefix="/teams/{team_id}/challenges", tags=["own challenges"], route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound)
WRITE = (*READ, CrossSite, RoleTooLow)
CHANGE = (*WRITE, service.OwnChallengeNotFound)
MEANWHILE = "Somebody else saved this challenge meanwhile. Compare the two and save what you want to keep."
CONFLICT: dict[int | str, dict[str, Any]] = {409: {"model": OwnConflict, "description": "own_challenge_conflict"}}


@router.get("", responses=errors(*READ, BadCursor))
async def list_own_challenges(
    seat: Reviewing,
    state: StateOf,
    state_: Annotated[OwnState | None, Query(alias="state")] = None,
    slug: Annotated[str, Query(max_length=80), CleanText] = "",
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> OwnPage:
    """The team's own challenges, newest first; with `state=published`, what can be chosen for an assessment."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = service.listing(seat.team.id, state_ or "", slug, before).limit(limit + 1)
    async with state.db.read() as session:
        rows = (await session.execute(query)).all()
        found = await service.published(session, state.shelf, OwnChallenge.id.in_([row[0].id for row in rows]))
    shown = {row.id: views.published(row, challenge) for row, _, challenge in found}
    items = [views.card(row, version, name, shown.get(row.id)) for row, version, name in rows[:limit]]
    return OwnPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post("", status_code=201, responses=errors(*WRITE, service.TooManyChallenges, service.SlugTaken))
async def create_own_challenge(body: NewOwnChallenge, seat: Authoring, state: StateOf) -> OwnView:
    """Make a challenge: its files are the scaffold, which says what is to be written."""
    files = await asyncio.to_thread(authored.scaffold, body.slug, body.kind, body.form)
    async with state.db.write() as session:
        seen = await views.look(session, state.shelf, await service.create(session, seat, body.slug, files))
    return await views.told(seen)


@router.get("/{challenge_id}", responses=errors(*READ, service.OwnChallengeNotFound))
async def get_own_challenge(challenge_id: Id, seat: Reviewing, state: StateOf) -> OwnView:
    """A challenge with its files, what is wrong with them, and what the gate found."""
    async with state.db.read() as session:
        seen = await views.look(session, state.shelf, await service.find(session, seat, challenge_id))
    return await views.told(seen)


@router.put(
    "/{challenge_id}/files",
    response_model=OwnView,
    responses={**errors(*CHANGE, service.BadFiles), **CONFLICT},
)
async def save_own_files(challenge_id: Id, body: NewFiles, seat: Authoring, state: StateOf) -> OwnView | JSONResponse:
    """Save the whole folder. 409 when somebody else saved since the version that you name; what is there comes along. The gate
    starts anew: a run over the earlier files counts no more.
    """
    async with state.db.write() as session:
        challenge = await service.find(session, seat, challenge_id, to_change=True)
        taken = await service.save(session, challenge, body.version, body.files)
        seen = await views.look(session, state.shelf, challenge)
    shown = await views.told(seen)
    if taken:
        return shown
    told = OwnConflict(code="own_challenge_conflict", message=MEANWHILE, status=409, challenge=shown)
    return JSONResponse(told.model_dump(mode="json", exclude={"fields"}), status_code=409)


@router.post(
    "/{challenge_id}/gate", status_code=status.HTTP_202_ACCEPTED,
    responses=errors(*CHANGE, service.NotReady, service.GateBusy),
)  # fmt: skip
async def prove_own_challenge(challenge_id: Id, seat: Authoring, state: StateOf) -> OwnView:
    """Have the authoring gate look at the newest version. Ask for the challenge again to see how far it is."""
    async with state.db.read() as session:
        challenge = await service.find(session, seat, challenge_id)
        files = service.files_of(await service.newest(session, challenge))
    await asyncio.to_thread(service.require_ready, challenge.slug, files)
    async with state.db.write() as session:
        challenge = await service.find(session, seat, challenge_id, to_change=True)
        await service.ask(session, seat, challenge)
        seen = await views.look(session, state.shelf, challenge)
    return await views.told(seen)


@router.post("/{challenge_id}/publish", responses=errors(*CHANGE, service.NotProven))
async def publish_own_challenge(challenge_id: Id, seat: Authoring, state: StateOf) -> OwnView:
    """Let the team's assessments choose the newest version. Those that somebody has started keep the one they have."""
    async with state.db.write() as session:
        challenge = await service.find(session, seat, challenge_id, to_change=True)
        await service.publish(session, challenge)
        seen = await views.look(session, state.shelf, challenge)
    return await views.told(seen)


@router.post("/{challenge_id}/archive", responses=errors(*CHANGE))
async def archive_own_challenge(challenge_id: Id, seat: Authoring, state: StateOf) -> OwnView:
    """Put a challenge away: it can be chosen no more. Who has it in an assessment goes on."""
    async with state.db.write() as session:
        challenge = await service.find(session, seat, challenge_id, to_change=True)
        service.archive(challenge)
        seen = await views.look(session, state.shelf, challenge)
    return await views.told(seen)


@router.post("/{challenge_id}/restore", responses=errors(*CHANGE))
async def restore_own_challenge(challenge_id: Id, seat: Authoring, state: StateOf) -> OwnView:
    """Make a draft again of what was archived."""
    async with state.db.write() as session:
        challenge = await service.find(session, seat, challenge_id, to_change=True)
        service.restore(challenge)
        seen = await views.look(session, state.shelf, challenge)
    return await views.told(seen)


@router.delete("/{challenge_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*CHANGE))
async def delete_own_challenge(challenge_id: Id, seat: Authoring, state: StateOf) -> None:
    """Erase a challenge with all its versions. Assessments that somebody has started keep what they have."""
    async with state.db.write() as session:
        await session.delete(await service.find(session, seat, challenge_id, to_change=True))
