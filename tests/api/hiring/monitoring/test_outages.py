"""Tests outages as a team sees them: what was reported and by whom, and how much time each candidate got back."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.api.hiring.taking_rig import Rig, code_of, rig_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment of one hour."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        yield rig


async def told(rig: Rig) -> list[dict[str, Any]]:
    """Return the outages of the assessment as the team sees them."""
    answer = await rig.owner.http.get(f"{rig.path}/outages")
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


async def report(rig: Rig, minutes: int) -> None:
    """Report an outage that lasted this many minutes and ends now."""
    begun = rig.clock() - timedelta(minutes=minutes)
    body = {"begins_at": begun.isoformat(), "ends_at": rig.clock().isoformat()}
    assert (await rig.owner.http.post(f"{rig.path}/outages", json=body)).status_code == 201


async def test_everybody_is_named_with_what_they_got_and_what_overlaps_is_told_once(rig: Rig) -> None:
    assert await told(rig) == []
    hit, early = [await rig.start((await rig.invite())["token"]) for _ in range(2)]
    rig.clock.go(minutes=10)
    await early.http.post("/api/participation/finish")
    late = await rig.start((await rig.invite())["token"])
    rig.clock.go(minutes=10)
    await report(rig, 15)
    await report(rig, 15)
    rig.clock.go(minutes=5)
    await report(rig, 10)
    third, second, first = await told(rig)
    ids = [(await one.state())["id"] for one in (hit, late)]
    assert [(one["id"], one["seconds"]) for one in first["people"]] == [(ids[0], 900), (ids[1], 600)]
    assert (first["affected"], first["given_back_s"], first["reported_by"]) == (2, 1500, "ada")
    assert (second["affected"], second["given_back_s"], second["people"]) == (0, 0, [])
    assert [one["seconds"] for one in third["people"]] == [300, 300]
    assert [(await one.state())["given_back_s"] for one in (hit, late)] == [1200, 900]


async def test_only_owners_read_them_and_of_another_assessment_nobody(rig: Rig) -> None:
    await report(rig, 5)
    path, rig.assessment = rig.path, "0" * 32
    assert code_of(await rig.owner.http.get(f"{rig.path}/outages")) == (404, "assessment_not_found")
    stranger = await rig.service.person("eve")
    assert code_of(await stranger.http.get(f"{path}/outages")) == (404, "team_not_found")
