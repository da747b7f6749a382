"""Putting a profile and one's own progress together."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import guests
from api.accounts.models import Account
from api.catalogue.service import Catalogue
from api.errors import ApiError
from api.profiles import deeds
from api.profiles.badges import badges_of
from api.profiles.schemas import BadgeView, DayView, LastView, ProfileView, ProgressView, SolveView
from api.standings import service as standings
from api.standings.boards import Census, Key, Reader, board
from api.standings.models import Solve, Standing


class ProfileNotFound(ApiError):
    """Nobody has this id, or nobody who shows a profile."""

    status, code = 404, "profile_not_found"


async def progress(session: AsyncSession, account_id: str) -> ProgressView:
    """How far an account is."""
    rows = await session.execute(select(Solve.slug, Solve.points).where(Solve.account_id == account_id))
    points: dict[str, int] = {row.slug: row.points for row in rows}
    last = await deeds.latest(session, account_id)
    return ProgressView(
        solved=sorted(points),
        tried=[slug for slug in await deeds.tried(session, account_id) if slug not in points],
        points=sum(points.values()),
        streak=deeds.streak(await deeds.active_days(session, account_id)),
        last=LastView(slug=last.slug, at=last.created_at, solved=last.slug in points) if last else None,
    )


async def profile(
    session: AsyncSession, account_id: str, viewer: Account | None, catalogue: Catalogue, census: Census
) -> ProfileView:
    """Somebody's profile. Raises `ProfileNotFound` for guests, and for others' that are not listed or banned."""
    account = await session.get(Account, account_id)
    own = viewer is not None and viewer.id == account_id
    listing = await standings.listing(session, account_id)
    if account is None or guests.is_guest(account) or not (own or (listing.listed and account.ban is None)):
        raise ProfileNotFound("Nobody shows a profile at this address.")
    done, days = await deeds.deeds_of(session, account_id), await deeds.active_days(session, account_id)
    return ProfileView(
        id=account_id,
        name=listing.name or account.name,
        since=account.created_at,
        own=own,
        listed=listing.listed,
        points=sum(solve.points for solve in done.solves),
        rank=await _rank(session, account_id, census),
        streak=deeds.streak(days),
        solves=[SolveView.model_validate(solve) for solve in done.solves],
        days=[DayView(day=day, count=count) for day, count in sorted(days.items())],
        badges=[BadgeView.model_validate(badge) for badge in badges_of(done, catalogue)],
    )


async def _rank(session: AsyncSession, account_id: str, census: Census) -> int | None:
    overall = board("", "", "all")
    row: Any = await session.scalar(select(Standing).where(*overall.where, Standing.account_id == account_id))
    if row is None:
        return None
    return await Reader(session, overall, census).rank(Key(row.points, row.reached_at, account_id))
