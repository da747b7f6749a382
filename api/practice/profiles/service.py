"""Builds the responses for profiles and for an account's own progress."""

from collections.abc import Container
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import Catalogue
from api.content.catalogue.topic_folders import LEVELS
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.kit.errors import ApiError
from api.practice.leaderboards import service as standings
from api.practice.leaderboards.boards import BoardReader, Key, PointCounts, board
from api.practice.leaderboards.models import Solve, Standing
from api.practice.profiles import activity
from api.practice.profiles.badges import badges_of
from api.practice.profiles.schemas import (
    BadgeView,
    DayView,
    LastView,
    ProfileView,
    ProgressView,
    SolveView,
    TrackProgress,
)
from api.practice.speed_boards import service as speed_boards
from grader.content.track import Track


class ProfileNotFound(ApiError):
    """The account does not exist, or does not show a profile."""

    status, code = 404, "profile_not_found"


async def progress(session: AsyncSession, account_id: str, catalogue: Catalogue) -> ProgressView:
    rows = await session.execute(select(Solve.slug, Solve.points).where(Solve.account_id == account_id))
    points: dict[str, int] = {row.slug: row.points for row in rows}
    last = await activity.latest(session, account_id)
    tracks = [_of_track(each, catalogue, points) for each in catalogue.tracks.values()]
    return ProgressView(
        solved=sorted(points),
        tried=[slug for slug in await activity.tried(session, account_id) if slug not in points],
        points=sum(points.values()),
        streak=activity.streak(await activity.active_days(session, account_id)),
        last=LastView(slug=last.slug, at=last.created_at, solved=last.slug in points) if last else None,
        next=_next(tracks, catalogue, points),
        tracks=tracks,
    )


async def profile(
    session: AsyncSession, account_id: str, viewer: Account | None, catalogue: Catalogue, census: PointCounts
) -> ProfileView:
    """Return an account's profile. Raises `ProfileNotFound` if the account is a guest or a candidate. Unless the viewer is the
    owner of the account, this error is also raised if the account is not listed, or is banned.
    """
    account = await session.get(Account, account_id)
    own = viewer is not None and viewer.id == account_id
    listing = await standings.listing(session, account_id)
    if account is None or account.role in candidates.PASSING or not (own or (listing.listed and account.ban is None)):
        raise ProfileNotFound("There is no profile at this address, or its owner does not show it.")
    done, days = await activity.achievements_of(session, account_id), await activity.active_days(session, account_id)
    return ProfileView(
        id=account_id,
        name=listing.name or account.name,
        since=account.created_at,
        own=own,
        listed=listing.listed,
        points=sum(solve.points for solve in done.solves),
        rank=await _rank(session, account_id, census),
        streak=activity.streak(days),
        solves=[SolveView.model_validate(solve) for solve in done.solves],
        days=[DayView(day=day, count=count) for day, count in sorted(days.items())],
        badges=[BadgeView.model_validate(badge) for badge in badges_of(done, catalogue)],
        speed=await speed_boards.profile_places(session, account_id, catalogue),
    )


def _of_track(track: Track, catalogue: Catalogue, solved: Container[str]) -> TrackProgress:
    slugs = catalogue.challenges_of(track)
    left = [slug for slug in slugs if slug not in solved]
    return TrackProgress(
        id=track.id, solved=len(slugs) - len(left), challenges=len(slugs), next=left[0] if left else None
    )


def _next(tracks: list[TrackProgress], catalogue: Catalogue, solved: Container[str]) -> str | None:
    """Return the challenge that the account should do next. Of the tracks that it has begun and not finished, choose the one of
    which it has solved the largest part, and return the first unsolved challenge of this track. If there is no such track,
    return the easiest unsolved challenge.
    """
    begun = [each for each in tracks if each.next and each.solved]
    if begun:
        return max(begun, key=lambda each: each.solved / each.challenges).next
    left = [each for each in catalogue.challenges if each.package.slug not in solved]
    return min(left, key=lambda each: LEVELS[each.package.info.difficulty]).package.slug if left else None


async def _rank(session: AsyncSession, account_id: str, census: PointCounts) -> int | None:
    overall = board("", "", "all")
    row: Any = await session.scalar(select(Standing).where(*overall.where, Standing.account_id == account_id))
    if row is None:
        return None
    return await BoardReader(session, overall, census).rank(Key(row.points, row.reached_at, account_id))
