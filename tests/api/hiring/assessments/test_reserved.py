"""Tests challenges that can be used only in assessments, and the warnings that the author of a plan gets before opening the
assessment.
"""

import re
import shutil
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from api.hiring.participations.deadline_sweeper import sweep_versions
from api.kit.db import database
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.authoring.authoring_rig import good
from tests.api.hiring.taking_rig import Rig, code_of, plan_of, rig_in
from tests.api.topic_folders import with_picture

pytestmark = pytest.mark.anyio


def reserve(root: Path, slug: str, **values: str) -> None:
    """Create a challenge that can be used only in assessments."""
    told = write_challenge(root, slug, **values) / "challenge.toml"
    told.write_text('visibility = "assessments"\n' + told.read_text())


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team, with one public challenge and one that can be used only in assessments."""
    reserve(home / "challenges", "add-three", title="Add three")
    async with rig_in(home, monkeypatch) as rig:
        yield rig


def asking(*names: str, points: int = 10) -> list[dict[str, Any]]:
    """Return the sections of a plan: a single section with one item per challenge."""
    items = [
        {"key": f"item-{name}", "points": points, "choices": [{"kind": "challenge", "name": name}]} for name in names
    ]
    return [{"key": "code", "title": "Code", "items": items}]


async def warned(rig: Rig, **more: Any) -> dict[str, str]:
    """Create an assessment with this plan. Return its warnings by field."""
    made = await rig.owner.http.post(
        f"/api/teams/{rig.team}/assessments", json={"name": "First round", "plan": plan_of(**more)}
    )
    shown = good(made, 201)
    rig.assessment = shown["id"]
    return {each["field"]: each["message"] for each in shown["warnings"]}


async def test_what_is_reserved_is_nowhere_in_public_and_can_be_asked(rig: Rig) -> None:
    eve = await rig.service.person("eve")
    listed = good(await eve.http.get("/api/challenges"))["items"]
    assert [each["slug"] for each in listed] == ["add-one"]
    for path in ("", "/hints", "/editorial"):
        assert code_of(await eve.http.get(f"/api/challenges/add-three{path}")) == (404, "challenge_not_found")
    body = {"slug": "add-three", "kind": "submit", "source": "x = 1"}
    assert code_of(await eve.http.post("/api/submissions", json=body)) == (404, "challenge_not_found")
    assert "add-three" not in (await eve.http.get("/api/search?q=three")).text
    pool = f"/api/teams/{rig.team}/reserved-challenges"
    assert [each["slug"] for each in good(await rig.owner.http.get(pool))["items"]] == ["add-three"]
    assert good(await rig.owner.http.get(f"{pool}/add-three"))["statement"]
    assert code_of(await eve.http.get(pool)) == (404, "team_not_found")
    await sweep_versions(rig.service.state.db, rig.service.state.store, older_than_s=-1)
    await rig.assess(sections=asking("add-three"))
    taker = await rig.start((await rig.invite())["token"])
    assert (await taker.open())["challenge"]["title"] == "Add three"
    sent = await taker.send("def add_one(x):\n    return x + 1\n")
    assert sent.status_code == 201
    node = await rig.service.node()
    await node.ready()
    assert (await node.take()).slug == "add-three"


async def test_late_verdicts_of_public_challenges_are_warned_of_with_what_to_take_instead(rig: Rig) -> None:
    told = (await warned(rig))["verdicts"]
    assert "“Add one”" in told
    assert "such as “Add three”" in told
    assert await warned(rig, sections=asking("add-three")) == {}
    assert await warned(rig, verdicts="at_once") == {}


async def test_pictures_of_reserved_challenges_are_shown_to_whoever_reads_the_statement(rig: Rig, home: Path) -> None:
    with_picture(home / "challenges" / "basics" / "add-three")
    rig.service.state.store.reload()
    statement = good(await rig.owner.http.get(f"/api/teams/{rig.team}/reserved-challenges/add-three"))["statement"]
    address = re.search(r"\((/api/challenges/add-three/pictures/[^)#]+)", statement)
    assert address
    assert (await rig.owner.http.get(address[1])).headers["content-type"] == "image/svg+xml"


async def test_without_reserved_challenges_the_warning_offers_none(rig: Rig, home: Path) -> None:
    shutil.rmtree(home / "challenges" / "basics" / "add-three")
    rig.service.state.store.reload()
    told = (await warned(rig))["verdicts"]
    assert "for assessments only" not in told
    assert "your team" in told
    assert "not signed in" in told


async def test_every_warning_and_problem_is_a_sentence(rig: Rig, home: Path) -> None:
    reserve(home / "challenges", "add-four", title="Add four", difficulty="hard")
    rig.service.state.store.reload()
    pool = asking("add-one", "add-three")
    pool[0]["draw"], pool[0]["items"][1]["points"] = 1, 30
    pool[0]["items"][0]["choices"].append({"kind": "challenge", "name": "add-four"})
    soon = (database.now() + timedelta(minutes=10)).isoformat()
    told = await warned(rig, sections=pool, closes_at=soon, minutes=75)
    assert len(told) == 4
    await warned(rig, opens_at="2026-01-01T09:00:00Z", closes_at="2026-01-01T10:00:00Z")
    problems = good(await rig.owner.http.get(rig.path))["problems"]
    for text in (*told.values(), *(each["message"] for each in problems)):
        assert text.endswith("."), text
        assert text[0].isupper() or text[0] == "“", text


async def test_a_window_that_is_over_or_too_short_is_told(rig: Rig) -> None:
    soon = (database.now() + timedelta(minutes=10)).isoformat()
    told = await warned(rig, sections=asking("add-three"), closes_at=soon, minutes=75)
    assert set(told) == {"closes_at"}
    assert "the assessment takes 75" in told["closes_at"]
    good(await rig.owner.http.post(f"{rig.path}/open"))
    past = {"opens_at": "2026-01-01T09:00:00Z", "closes_at": "2026-01-01T10:00:00Z"}
    await warned(rig, **past)
    shown = good(await rig.owner.http.get(rig.path))
    assert [each["field"] for each in shown["problems"]] == ["closes_at"]
    assert code_of(await rig.owner.http.post(f"{rig.path}/open")) == (422, "plan_unusable")


async def test_draws_and_alternatives_that_are_not_alike_are_told(rig: Rig, home: Path) -> None:
    reserve(home / "challenges", "add-four", title="Add four", difficulty="hard")
    rig.service.state.store.reload()
    pool = asking("add-three", "add-four")
    pool[0]["draw"], pool[0]["items"][1]["points"] = 1, 30
    assert "10 to 30 points" in (await warned(rig, sections=pool))["sections.0.draw"]
    either = asking("add-three")
    either[0]["items"][0]["choices"].append({"kind": "challenge", "name": "add-four"})
    assert "easy and hard" in (await warned(rig, sections=either))["sections.0.items.0.choices"]


async def test_what_is_tried_first_is_public(rig: Rig) -> None:
    await warned(rig, practice="add-three")
    shown = good(await rig.owner.http.get(rig.path))
    assert [each["field"] for each in shown["problems"]] == ["practice"]
