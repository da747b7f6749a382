"""Tests what candidates say about an assessment: only after the end, changeable, and without names for the team."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.api.hiring.taking_rig import Rig, code_of, rig_in

pytestmark = pytest.mark.anyio
OWN = "/api/participation/feedback"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        yield rig


async def finished(rig: Rig, name: str, rating: int, comment: str = "", difficulty: str = "right") -> None:
    """Take the assessment, finish, and give feedback."""
    taker = await rig.start((await rig.invite(name=name))["token"])
    body = {"rating": rating, "difficulty": difficulty, "comment": comment}
    assert code_of(await taker.http.put(OWN, json=body)) == (409, "not_finished_yet")
    assert (await taker.http.get(OWN)).json() == {"feedback": None}
    await taker.http.post("/api/participation/finish")
    assert (await taker.http.put(OWN, json={**body, "rating": 1})).status_code == 200
    assert (await taker.http.put(OWN, json=body)).json() == {"feedback": body}
    assert (await taker.http.get(OWN)).json() == {"feedback": body}


async def test_the_team_reads_it_without_names(rig: Rig) -> None:
    await finished(rig, "Zoe", 5, "Very clear.")
    await finished(rig, "Ben", 2, "A bit long.", "hard")
    await finished(rig, "Eve", 5)
    answer = await rig.owner.http.get(f"{rig.path}/feedback")
    assert answer.json() == {
        "count": 3,
        "mean": 4.0,
        "ratings": [0, 1, 0, 0, 2],
        "difficulties": {"easy": 0, "right": 2, "hard": 1},
        "comments": ["A bit long.", "Very clear."],
    }


async def test_nobody_has_said_anything(rig: Rig) -> None:
    told = (await rig.owner.http.get(f"{rig.path}/feedback")).json()
    assert (told["count"], told["mean"], told["comments"]) == (0, None, [])


@pytest.mark.parametrize("wrong", [{"rating": 6}, {"rating": 0}, {"difficulty": "odd"}, {"comment": "x" * 2001}])
async def test_odd_feedback_is_refused(rig: Rig, wrong: dict[str, object]) -> None:
    taker = await rig.start((await rig.invite(name="Eve"))["token"])
    await taker.http.post("/api/participation/finish")
    body = {"rating": 4, "difficulty": "right", "comment": "", **wrong}
    assert (await taker.http.put(OWN, json=body)).status_code == 422
