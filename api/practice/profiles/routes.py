"""Routes to read your own progress, and profiles."""

from fastapi import APIRouter, Response

from api.content.catalogue.service import CatalogueStoreDep
from api.identity.sessions.current_account import Anybody, Caller
from api.kit.errors import NotSignedIn, errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.http.dependencies import DatabaseDep
from api.kit.ids import Id
from api.practice.feeds import svg_images
from api.practice.leaderboards.rank_milestones import MilestonesDep
from api.practice.profiles import service
from api.practice.profiles.schemas import ProfileView, ProgressView

router = APIRouter(tags=["standings"])


@router.get("/me/progress", response_model=ProgressView, responses=errors(NotSignedIn))
async def get_progress(caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> ProgressView:
    """What you have solved and tried, your points, and what you worked on last."""
    async with db.read() as session:
        return await service.progress(session, caller.account.id, store.catalogue)


@router.get(
    "/profiles/{profile_id}",
    response_model=ProfileView,
    responses={**errors(NotSignedIn, service.ProfileNotFound), **NOT_MODIFIED},
)
async def get_profile(
    profile_id: Id, viewer: Anybody, db: DatabaseDep, store: CatalogueStoreDep, milestones: MilestonesDep, has: Has
) -> ProfileView | Response:
    """What an account has solved and when, and its badges. Only the owner can see the profile of an account that is not
    listed.
    """
    async with db.read() as session:
        found = await service.profile(
            session, profile_id, viewer.account if viewer else None, store.catalogue, milestones
        )
    # The owner of a profile sees more than other users do. The response to the owner therefore has no ETag.
    return (None if found.own else has.has(found.model_dump_json())) or found


@router.get(
    "/profiles/{profile_id}/embed.svg",
    response_class=Response,
    responses={**errors(service.ProfileNotFound), **svg_images.RESPONSES},
)
async def get_profile_image(profile_id: Id, db: DatabaseDep, milestones: MilestonesDep, has: Has) -> Response:
    """A person's points, rank and number of solved challenges as an image for other sites. It follows the reader's colour
    scheme. People whose profile is private have none.
    """
    async with db.read() as session:
        name, standing = await service.standing(session, profile_id, milestones)
    lines = [svg_images.Line("", words, figure) for words, figure in standing]
    return has.public(svg_images.image(name, lines, ""), svg_images.MEDIA_TYPE, svg_images.HEADERS)
