"""Reading one's own progress and people's profiles."""

from fastapi import APIRouter

from api.accounts.identity import Anybody, Caller
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
    "/profiles/{profile_id}", response_model=ProfileView, responses=errors(NotSignedIn, service.ProfileNotFound)
)
async def get_profile(profile_id: Id, viewer: Anybody, state: StateOf) -> ProfileView:
    """What somebody has solved, when, and what of it is worth a mention. Who is not listed has none for others."""
    async with state.db.read() as session:
        return await service.profile(
            session, profile_id, viewer.account if viewer else None, state.shelf.catalogue, state.census
        )
