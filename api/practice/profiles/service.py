"""Builds the responses for profiles and for an account's own progress."""

from collections.abc import Container
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue, Challenge
from api.content.catalogue.topic_folders import LEVELS
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.kit.errors import ApiError
from api.practice.leaderboards import service as standings
from api.practice.leaderboards.boards import board
from api.practice.leaderboards.models import Solve, Standing
from api.practice.leaderboards.rank_milestones import Milestones
from api.practice.leaderboards.ranks import Key, Ranks
from api.practice.leaderboards.schemas import ListingView
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
from api.practice.speed_boards.ranks import SpeedRanks
from grader.content.track import Track


class ProfileNotFound(ApiError):
    """The account does not exist, or does not show a profile."""

    status, code = 404, "profile_not_found"


async def progress(session: AsyncSession, account_id: str, catalogue: Catalogue) -> ProgressView:
    query = select(Solve.slug, Solve.points, Solve.solved_at).where(Solve.account_id == account_id)
    rows = (await session.execute(query)).all()
    points: dict[str, int] = {row.slug: row.points for row in rows}
    last = await activity.latest(session, account_id)
    tracks = [_of_track(each, catalogue, points) for each in catalogue.tracks.values()]
    return ProgressView(
        solved=sorted(points),
        tried=[slug for slug in await activity.tried(session, account_id) if slug not in points],
        points=sum(points.values()),
        solved_this_week=activity.solved_this_week(row.solved_at for row in rows),
        last=LastView(slug=last.slug, at=last.created_at, solved=last.slug in points) if last else None,
        next=_next(tracks, catalogue, points),
        tracks=tracks,
    )


async def profile(
    session: AsyncSession, account_id: str, viewer: Account | None, catalogue: Catalogue, milestones: Milestones
) -> ProfileView:
    """Return an account's profile. Raises `ProfileNotFound` as `require_profile` does."""
    own = viewer is not None and viewer.id == account_id
    account, listing = await require_profile(session, account_id, own=own)
    done, days = await activity.achievements_of(session, account_id), await activity.active_days(session, account_id)
    return ProfileView(
        id=account_id,
        name=listing.name or account.name,
        since=account.created_at,
        own=own,
        listed=listing.listed,
        points=sum(solve.points for solve in done.solves),
        rank=await _rank(session, account_id, milestones),
        solved_this_week=activity.solved_this_week(solve.solved_at for solve in done.solves),
        solves=[SolveView.model_validate(solve) for solve in done.solves],
        days=[DayView(day=day, count=count) for day, count in sorted(days.items())],
        badges=[BadgeView.model_validate(badge) for badge in badges_of(done, catalogue)],
        speed=await speed_boards.profile_places(SpeedRanks(session, milestones), account_id, catalogue),
    )


async def standing(session: AsyncSession, account_id: str, milestones: Milestones) -> tuple[str, list[tuple[str, str]]]:
    """Return the name of a person, and their standing as labels and figures. Raises `ProfileNotFound`."""
    account, listing = await require_profile(session, account_id)
    totals = select(func.count(), func.coalesce(func.sum(Solve.points), 0)).where(Solve.account_id == account_id)
    solved, points = (await session.execute(totals)).one()
    rank = await _rank(session, account_id, milestones)
    figures = ("Points", points), ("Rank", rank), ("Challenges solved", solved)
    return listing.name or account.name, [
        (words, "none" if figure is None else f"{figure:,}") for words, figure in figures
    ]


async def require_profile(session: AsyncSession, account_id: str, *, own: bool = False) -> tuple[Account, ListingView]:
    """Return the account of a profile, and how it appears. Raises `ProfileNotFound` if the account is a guest or a candidate.
    Unless it is the viewer's `own`, this error is also raised if the account is not listed, or is banned.
    """
    account, listing = await session.get(Account, account_id), await standings.listing(session, account_id)
    if account is None or account.role in candidates.PASSING or not (own or (listing.listed and account.ban is None)):
        raise ProfileNotFound("There is no profile at this address, or its owner does not show it.")
    return account, listing


def _of_track(track: Track, catalogue: Catalogue, solved: Container[str]) -> TrackProgress:
    slugs = catalogue.challenges_of(track)
    left = [slug for slug in slugs if slug not in solved]
    return TrackProgress(
        id=track.id, solved=len(slugs) - len(left), challenges=len(slugs), next=left[0] if left else None
    )


def _next(tracks: list[TrackProgress], catalogue: Catalogue, solved: Container[str]) -> str | None:
    """Return the challenge that the account should do next. Of the tracks that it has begun and not finished, choose the one of
    which it has solved the largest part, and return the first unsolved challenge of this track. If there is no such track,
    return the easiest unsolved challenge, the shortest one if several are equally easy.
    """
    begun = [each for each in tracks if each.next and each.solved]
    if begun:
        return max(begun, key=lambda each: each.solved / each.challenges).next
    left = [each for each in catalogue.challenges if each.package.slug not in solved]
    return min(left, key=_effort).package.slug if left else None


def _effort(item: Challenge) -> tuple[int, int]:
    return LEVELS[item.package.info.difficulty], item.package.info.minutes


async def _rank(session: AsyncSession, account_id: str, milestones: Milestones) -> int | None:
    overall = board("", "", "all")
    row: Any = await session.scalar(select(Standing).where(*overall.where, Standing.account_id == account_id))
    if row is None:
        return None
    (rank,) = await Ranks(session, overall, milestones).of([Key(row.points, row.reached_at, account_id)])
    return rank
