"""Tests weekly challenges: which challenge a week gets, and what is shown of this week and of past weeks."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from api.kit.db.database import now
from api.practice.leaderboards.periods import span, week_of
from api.practice.weekly import service as weekly
from api.practice.weekly.models import WeeklyChallenge
from tests.api.challenge_folders import write_challenge
from tests.api.practice.speed_boards.measuring_rig import write_scored
from tests.api.practice.test_leaderboards import judge
from tests.api.running_service import running, settings_in

SLUGS = [f"c{number}" for number in range(40)]


def weeks(count: int) -> list[str]:
    monday = datetime(2026, 1, 5, tzinfo=UTC)
    return [week_of(monday + timedelta(weeks=number)) for number in range(count)]


def played(slugs: list[str], count: int, last: dict[str, str] | None = None) -> list[str]:
    """Return the challenges of this many weeks, after the weeks in `last`."""
    last, found = dict(last or {}), []
    for week in weeks(count):
        slug = weekly.choose(week, slugs, last)
        assert slug is not None
        last[slug] = week
        found.append(slug)
    return found


def test_nothing_repeats_before_all_had_a_week() -> None:
    rounds = played(SLUGS, 120)
    assert [set(rounds[start : start + 40]) for start in (0, 40, 80)] == [set(SLUGS)] * 3
    assert rounds[:40] != sorted(rounds[:40]), "the order is not that of the catalogue"
    assert played(SLUGS[::-1], 120) == rounds, "nor does it depend on it"


def test_a_new_challenge_comes_next_once_and_a_removed_one_never() -> None:
    last = dict.fromkeys(SLUGS, "2025-W01")
    found = played([*SLUGS[1:], "new"], 80, last)
    assert found[0] == "new"
    assert found.count("new") == 2
    assert "c0" not in found
    assert weekly.choose("2026-W01", [], last) is None


def test_weeks_of_every_day_begin_on_monday() -> None:
    for number in range(3000):
        moment = datetime(2020, 1, 1, 13, tzinfo=UTC) + timedelta(days=number)
        begins_at, ends_at = span(week_of(moment))
        assert begins_at <= moment < ends_at
        assert (begins_at.weekday(), ends_at - begins_at) == (0, timedelta(weeks=1))
        begins_at, ends_at = span(f"{moment:%Y-%m}")
        assert begins_at <= moment < ends_at
        assert (begins_at.day, ends_at.day) == (1, 1)


async def stored(service: Any) -> list[tuple[str, str, str]]:
    async with service.state.db.read() as session:
        rows = await session.scalars(select(WeeklyChallenge).order_by(WeeklyChallenge.week, WeeklyChallenge.kind))
        return [(row.week, row.kind, row.slug) for row in rows]


@pytest.mark.anyio
async def test_this_week_keeps_its_challenges_and_past_weeks_their_boards(home: Path) -> None:
    root = home / "challenges"
    write_challenge(root)
    write_scored(root, "add-two", title="Add two")
    week = week_of(now())
    async with running(settings_in(home)) as service:
        node, ada = await service.node(), await service.person()
        client = service.client()
        told = (await client.get("/api/weekly")).json()
        chosen = [(week, "correctness", "add-one"), (week, "scored", "add-two")]
        assert await stored(service) == chosen
        (this,) = told["items"]
        assert (this["week"], told["next_cursor"]) == (week, None)
        assert [(each["kind"], each["slug"], each["solvers"]) for each in this["challenges"]] == [
            ("correctness", "add-one", 0),
            ("scored", "add-two", 0),
        ]
        assert this["begins_at"] == span(week)[0].isoformat().replace("+00:00", "Z")
        await judge(node, ada)
        answer = await client.get("/api/weekly")
        assert answer.json()["items"][0]["challenges"][0]["solvers"] == 1
        again = await client.get("/api/weekly", headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
        board = (await client.get(f"/api/leaderboard?challenge=add-one&window={week}")).json()
        assert [(item["rank"], item["name"]) for item in board["items"]] == [(1, "ada")]
        async with service.state.db.write() as session:
            session.add(WeeklyChallenge(week="2026-W02", kind="correctness", slug="removed-since"))
            session.add(WeeklyChallenge(week="2026-W01", kind="correctness", slug="add-two"))
    # A new challenge in the middle of the week, and a restart, change nothing.
    write_challenge(root, "add-ten", title="Add ten")
    async with running(settings_in(home)) as service:
        client = service.client()
        first = (await client.get("/api/weekly?limit=2")).json()
        assert [item["week"] for item in first["items"]] == [week, "2026-W02"]
        assert first["items"][1]["challenges"] == [], "it is no longer in the catalogue"
        rest = (await client.get("/api/weekly", params={"cursor": first["next_cursor"]})).json()
        assert [item["week"] for item in rest["items"]] == ["2026-W01"]
        assert (await stored(service))[-2:] == chosen
        assert (await client.get("/api/weekly?cursor=x")).status_code == 422


@pytest.mark.anyio
async def test_an_empty_catalogue_has_no_weeks(home: Path) -> None:
    (home / "challenges").mkdir()
    async with running(settings_in(home)) as service:
        assert (await service.client().get("/api/weekly")).json() == {"items": [], "next_cursor": None}
        assert await stored(service) == []
