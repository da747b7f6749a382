"""Tests that the first places of a week's scored challenge are measured again when the week has ended."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from api.kit.db.database import now
from api.practice.leaderboards.periods import span, week_of
from api.practice.measurements.models import Measurement, SpeedEntry, Status
from api.practice.weekly.final_measurements import FinalMeasurements
from api.practice.weekly.models import WeeklyChallenge
from tests.api.practice.speed_boards.measuring_rig import accepted, board, measure, progress, ranked, until
from tests.api.running_service import WITHIN_S, Service
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio
WEEK = timedelta(weeks=1)


async def a_week_passes(service: Service) -> None:
    """Make add-one the scored challenge of last week, and move everything that was measured into that week."""
    async with service.state.db.write() as session:
        session.add(WeeklyChallenge(week=week_of(now() - WEEK), kind="scored", slug="add-one"))
        before = span(week_of(now()))[0] - timedelta(hours=1)
        await session.execute(update(SpeedEntry).values(measured_at=before))
        await session.execute(update(Measurement).values(asked_at=before, ended_at=before))


async def week_ends(service: Service) -> int:
    """Do what the service does each minute. Return how many measurements wait or run after that."""
    await FinalMeasurements(service.state.db, service.state.store).measure_first_places()
    async with service.state.db.read() as session:
        under_way = Measurement.status.in_((Status.WAITING, Status.RUNNING))
        return await session.scalar(select(func.count()).where(under_way)) or 0


async def test_the_first_places_are_measured_once_more_and_keep_their_places(
    service: Service, node: ScriptedNode
) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    sent = await ranked(service, ada, node, 3.0)
    await a_week_passes(service)
    await ranked(service, bob, node, 2.0, number=1)
    assert await week_ends(service) == 1, "the answer that was measured in the new week is measured again too"
    assert await week_ends(service) == 1
    assert (await progress(ada, sent))["state"] == "ranked"
    again = await measure(node, 3.1)
    assert again.slug == "add-one"
    async with asyncio.timeout(WITHIN_S):
        while await week_ends(service):
            await asyncio.sleep(0.02)
    told = await until(ada, sent, "ranked")
    assert 3.0 < told["interval"]["ratio"] < 3.1, "all measurements count"
    page = await board(ada)
    assert [(item["name"], item["rank"]) for item in page["items"]] == [("ada", 1), ("bob", 2)]
    entry = (await ada.http.get(f"/api/speed-entries/{page['items'][0]['id']}")).json()
    assert len(entry["sessions"]) == 3


async def test_an_answer_that_is_much_slower_at_the_end_of_the_week_is_reviewed(
    service: Service, node: ScriptedNode
) -> None:
    ada = await service.person("ada")
    sent = await ranked(service, ada, node, 3.0)
    await a_week_passes(service)
    assert await week_ends(service) == 1
    await measure(node, 1.5)
    await until(ada, sent, "flagged")
    assert (await board(ada))["items"] == []
    assert await week_ends(service) == 0


async def test_a_measurement_of_another_answer_is_not_the_final_one(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    await ranked(service, ada, node, 3.0)
    await a_week_passes(service)
    other = await accepted(service, ada, node, number=1)
    # It would take the place, so it is measured again for this board, like the answer that has the place.
    await measure(node, 3.5)
    await measure(node, 1.5)
    await until(ada, other, "flagged")
    assert await week_ends(service) == 1


async def test_boards_of_other_challenges_are_left_alone(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    await ranked(service, ada, node, 3.0)
    assert await week_ends(service) == 0
    await a_week_passes(service)
    async with service.state.db.write() as session:
        await session.execute(update(WeeklyChallenge).values(kind="correctness"))
    assert await week_ends(service) == 0
