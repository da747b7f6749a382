"""Routes to follow people, to stop following them, and to list whom you follow."""

from fastapi import APIRouter, status

from api.identity.sessions.current_account import AccountRequired, Caller, Member, SessionRequired
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.ids import Id
from api.practice.profiles import follows
from api.practice.profiles.schemas import FollowingView
from api.practice.profiles.service import ProfileNotFound

router = APIRouter(tags=["standings"])
CHANGE = (CrossSite, NotSignedIn, SessionRequired, AccountRequired)


@router.get("/me/following", response_model=FollowingView, responses=errors(NotSignedIn))
async def list_following(caller: Caller, db: DatabaseDep) -> FollowingView:
    """The people that you follow, and how many people follow you."""
    async with db.read() as session:
        return await follows.following(session, caller.account.id)


@router.put(
    "/profiles/{profile_id}/follow",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(*CHANGE, ProfileNotFound, follows.FollowsItself, follows.TooManyFollowed),
)
async def follow(profile_id: Id, caller: Member, db: DatabaseDep) -> None:
    """Follow a person whose profile you can open. The person sees how many people follow them, and not who. Following somebody
    again changes nothing.
    """
    async with db.write() as session:
        await follows.follow(session, caller.account.id, profile_id)


@router.delete("/profiles/{profile_id}/follow", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*CHANGE))
async def unfollow(profile_id: Id, caller: Member, db: DatabaseDep) -> None:
    """Stop following a person. Nothing happens if you do not follow them."""
    async with db.write() as session:
        await follows.unfollow(session, caller.account.id, profile_id)
