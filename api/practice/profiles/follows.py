"""Follows people. Following shows nothing that is not public: boards can be limited to the people that one follows.

The followed account learns how many follow it, and not who. A person who makes their profile private disappears from the lists
of their followers until it is public again.
"""

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.kit.db.database import hold, now
from api.kit.db.insert_if_absent import insert_if_absent
from api.kit.errors import ApiError
from api.practice.leaderboards.models import Follow, Listing, shown_name
from api.practice.profiles.schemas import FollowedPerson, FollowingView
from api.practice.profiles.service import require_profile

# Maximum number of people that an account follows. It limits the accounts that a board of them is read for.
FOLLOWED = 500


class FollowsItself(ApiError):
    """An account cannot follow itself."""

    status, code = 409, "follows_itself"


class TooManyFollowed(ApiError):
    """The account has reached the maximum number of people that it follows."""

    status, code = 409, "too_many_followed"


async def follow(session: AsyncSession, account_id: str, followed_id: str) -> None:
    """Follow an account. Doing it again changes nothing. Raises `ProfileNotFound`, `FollowsItself`, `TooManyFollowed`."""
    if account_id == followed_id:
        raise FollowsItself("This is your own profile. You are always on the board with the people you follow.")
    await require_profile(session, followed_id)
    await hold(session, f"follow {account_id}")
    others = select(func.count()).where(Follow.account_id == account_id, Follow.followed_id != followed_id)
    if (await session.scalar(others) or 0) >= FOLLOWED:
        raise TooManyFollowed(f"You already follow {FOLLOWED} people, which is the limit. Unfollow somebody first.")
    await insert_if_absent(session, Follow(account_id=account_id, followed_id=followed_id, followed_at=now()))


async def unfollow(session: AsyncSession, account_id: str, followed_id: str) -> None:
    await session.execute(delete(Follow).where(Follow.account_id == account_id, Follow.followed_id == followed_id))


async def following(session: AsyncSession, account_id: str) -> FollowingView:
    """Return the people that an account follows and that show their profile, and how many follow the account."""
    query = (
        select(Account.id, shown_name(), Follow.followed_at)
        .join(Follow, Follow.followed_id == Account.id)
        .outerjoin(Listing, Listing.account_id == Account.id)
        .where(Follow.account_id == account_id, Listing.listed.is_not(False), Account.ban.is_(None))
        .order_by(Follow.followed_at.desc(), Account.id)
    )
    items = [FollowedPerson(id=row[0], name=row[1], followed_at=row[2]) for row in await session.execute(query)]
    followers = await session.scalar(select(func.count()).where(Follow.followed_id == account_id))
    return FollowingView(items=items, followers=followers or 0)
