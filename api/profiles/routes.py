"""Reading one's own progress and people's profiles."""

from fastapi import APIRouter, Response

from api.accounts.identity import Anybody, Caller
from api.caching import NOT_MODIFIED, Has
from api.errors import NotSignedIn, errors
from api.ids import Id
from api.profiles import service
from api.profiles.schemas import ProfileView, ProgressView
from api.state import StateOf

router = APIRouter(tags=["standings"])


@router.get("/me/progress", response_model=ProgressView, responses=errors(NotSignedIn))
async def get_progress(caller: Caller, state: StateOf) -> ProgressView:
    """What you have solved and tried, your points, and what you worked on last."""
    async with state.db.read() as session:
        return await service.progress(session, caller.account.id, state.shelf.catalogue)


@router.get(
    "/profiles/{profile_id}",
    response_model=ProfileView,
    responses={**errors(NotSignedIn, service.ProfileNotFound), **NOT_MODIFIED},
)
async def get_profile(profile_id: Id, viewer: Anybody, state: StateOf, has: Has) -> ProfileView | Response:
    """What somebody has solved, when, and what of it is worth a mention. Who is not listed has none for others."""
    async with state.db.read() as session:
        found = await service.profile(
            session, profile_id, viewer.account if viewer else None, state.shelf.catalogue, state.census
        )
    # One's own is not the same for everybody: it is told without an ETag.
    return (None if found.own else has.has(found.model_dump_json())) or found
