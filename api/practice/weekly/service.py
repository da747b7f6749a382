"""Chooses the challenges of the week, and reads those of past weeks.

A challenge is chosen when the week is first read, and stored. Every process chooses the same one, because the choice depends
only on the week, the catalogue and the earlier weeks. First come challenges that never had a week, in an order that depends on
a hash of the week, then the one whose week is longest ago. So no challenge has a second week before all have had one, and a new
challenge gets the next one.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Select, func, literal, select, union_all
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import CatalogueStore
from api.kit.db.database import Database, now
from api.kit.db.insert_if_absent import insert_if_absent
from api.practice.leaderboards.boards import board
from api.practice.leaderboards.periods import span, week_of
from api.practice.weekly.models import WeeklyChallenge
from api.practice.weekly.schemas import WeeklyChallengeView, WeeklyKind, WeekView

KINDS: tuple[WeeklyKind, ...] = ("correctness", "scored")


def choose(week: str, slugs: Collection[str], last_weeks: Mapping[str, str]) -> str | None:
    """Return the challenge of a week, or None if there are none. `last_weeks` contains the last week of each challenge that had
    one.
    """

    def turn(slug: str) -> tuple[str, bytes]:
        return last_weeks.get(slug, ""), hashlib.sha256(f"{week} {slug}".encode()).digest()

    return min(slugs, key=turn, default=None)


async def ensure_this_week(db: Database, store: CatalogueStore) -> str:
    """Choose and store the challenges of the current week, unless that has happened. Returns the week."""
    week = week_of(now())
    stored = select(WeeklyChallenge.kind).where(WeeklyChallenge.week == week)
    async with db.read() as session:
        missing = set(KINDS) - set(await session.scalars(stored))
    # A catalogue without scored challenges has nothing to choose from, so it must not be asked for a write each time.
    pools = {kind: slugs for kind, slugs in _pools(store).items() if kind in missing and slugs} if missing else {}
    if pools:
        async with db.write() as session:
            for kind, slugs in pools.items():
                last = select(WeeklyChallenge.slug, func.max(WeeklyChallenge.week)).where(WeeklyChallenge.kind == kind)
                rows = await session.execute(last.group_by(WeeklyChallenge.slug))
                if slug := choose(week, slugs, {row[0]: row[1] for row in rows}):
                    await insert_if_absent(session, WeeklyChallenge(week=week, kind=kind, slug=slug))
    return week


def _pools(store: CatalogueStore) -> dict[WeeklyKind, list[str]]:
    pools: dict[WeeklyKind, list[str]] = {kind: [] for kind in KINDS}
    for each in store.catalogue.challenges:
        pools["scored" if each.scored else "correctness"].append(each.package.slug)
    return pools


async def weeks(session: AsyncSession, catalogue: Catalogue, before: str, limit: int) -> list[WeekView]:
    """Return at most `limit` weeks before this one, or the latest weeks if `before` is empty, the latest first."""
    query = select(WeeklyChallenge.week).distinct().order_by(WeeklyChallenge.week.desc()).limit(limit)
    names = list(await session.scalars(query.where(WeeklyChallenge.week < before) if before else query))
    chosen = select(WeeklyChallenge).where(WeeklyChallenge.week.in_(names)).order_by(WeeklyChallenge.kind)
    rows = [row for row in await session.scalars(chosen) if row.slug in catalogue.by_slug]
    solvers = await _solvers(session, rows)
    return [
        WeekView(
            week=name,
            begins_at=span(name)[0],
            ends_at=span(name)[1],
            challenges=[
                WeeklyChallengeView(
                    kind="scored" if row.kind == "scored" else "correctness",
                    slug=row.slug,
                    title=catalogue.by_slug[row.slug].package.info.title,
                    solvers=solvers[row.week, row.kind],
                )
                for row in rows
                if row.week == name
            ],
        )
        for name in names
    ]


async def _solvers(session: AsyncSession, rows: Sequence[WeeklyChallenge]) -> dict[tuple[str, str], int]:
    """Count in one statement who solved each of these challenges in its week."""
    if not rows:
        return {}
    counts: list[Select[str, str, int]] = []
    for row in rows:
        shown = board("", row.slug, row.week)
        counts.append(select(literal(row.week), literal(row.kind), func.count()).where(*shown.where))
    return {(found[0], found[1]): found[2] for found in await session.execute(union_all(*counts))}
