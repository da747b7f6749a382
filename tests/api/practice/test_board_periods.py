"""Tests boards of this week and month and of past ones, and the check that compares stored points with judgings."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from api.judging.submissions.models import Submission
from api.kit.db.database import now
from api.practice.leaderboards import scoring
from api.practice.leaderboards.cli import _rebuild
from api.practice.leaderboards.models import Solve, Standing
from tests.api.practice.test_leaderboards import everything, judge, service, shown
from tests.api.running_service import Service

pytestmark = pytest.mark.anyio
__all__ = ["service"]


async def test_windows_end(service: Service) -> None:
    node, ada = await service.node(), await service.person()
    sent = await judge(node, ada)
    async with service.state.db.write() as session:
        await session.execute(
            update(Submission).where(Submission.id == sent).values(created_at=now() - timedelta(days=40))
        )
    await scoring.rebuild(service.state.db, service.state.store.catalogue)
    for wanted in ({}, {"section": "basics"}, {"challenge": "add-one"}):
        assert await shown(ada.http, **wanted) == [(1, "ada", 10)]
        for window in ("week", "month"):
            assert await shown(ada.http, window=window, **wanted) == []


async def test_boards_of_past_weeks_and_months(service: Service) -> None:
    node, ada = await service.node(), await service.person()
    sent = await judge(node, ada)
    # This is a Sunday in ISO week 53 of 2020, in another year than its Monday.
    async with service.state.db.write() as session:
        moment = datetime(2021, 1, 3, 12, tzinfo=UTC)
        await session.execute(update(Submission).where(Submission.id == sent).values(created_at=moment))
    await scoring.rebuild(service.state.db, service.state.store.catalogue)
    for wanted in ({}, {"section": "basics"}, {"challenge": "add-one"}):
        for window in ("all", "2020-W53", "2021-01"):
            assert await shown(ada.http, window=window, **wanted) == [(1, "ada", 10)], (wanted, window)
        for window in ("week", "2020-12", "2021-W01", "2020-W52"):
            assert await shown(ada.http, window=window, **wanted) == [], (wanted, window)


async def test_the_board_of_a_challenge_shows_how_long_that_challenge_took(service: Service) -> None:
    node, ada = await service.node(), await service.person()
    minutes = {"add-one": 1, "add-two": 10}
    for slug in minutes:
        await judge(node, ada, slug=slug)
    async with service.state.db.write() as session:
        for solve in await session.scalars(select(Solve)):
            solve.began_at = solve.solved_at - timedelta(minutes=minutes[solve.slug])
    for slug, took in minutes.items():
        for window in ("all", "week"):
            page = await ada.http.get("/api/leaderboard", params={"challenge": slug, "window": window})
            assert [item["took_s"] for item in page.json()["items"]] == [60 * took], (slug, window)


async def test_a_malformed_window_is_refused(service: Service) -> None:
    ada = await service.person("ada")
    for window in ("", "2026-13", "2026-W54", "9999999999999-01", "2026-"):
        for path in ("leaderboard", "leaderboard/embed.svg", "leaderboard/feed.atom"):
            answer = await ada.http.get(f"/api/{path}", params={"window": window})
            assert answer.status_code == 422, (path, window, answer.text)


async def test_a_check_names_who_differs_and_changes_nothing(service: Service) -> None:
    node, ada, bob = await service.node(), await service.person("ada"), await service.person("bob")
    await judge(node, ada)
    await judge(node, bob)
    own = (await bob.http.get("/api/me")).json()["id"]
    assert await _rebuild(service.settings, keep=False) == (2, [])
    async with service.state.db.write() as session:
        await session.execute(update(Standing).where(Standing.account_id == own).values(points=1))
    wrong = await everything(service)
    assert await _rebuild(service.settings, keep=False) == (2, [own])
    assert await everything(service) == wrong
    assert await _rebuild(service.settings, keep=True) == (2, [own])
    assert await shown(ada.http) == [(1, "ada", 10), (2, "bob", 10)]
