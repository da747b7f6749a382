"""Tests how assessments are created, saved, opened, archived and copied. Also tests that a save names the version that it is
based on, and that the plan is frozen when the first candidate starts.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.hiring.assessments import service as rules
from api.hiring.assessments import versions
from api.hiring.assessments.models import Assessment, AssessmentVersion
from api.hiring.plans.random_items import draw
from api.hiring.team_catalogue.service import catalogue_of
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Person, Service, running, settings_in
from tests.api.topic_folders import write_topic

pytestmark = pytest.mark.anyio


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with three challenges and a quiz."""
    for slug in ("add-one", "add-two", "add-three"):
        write_challenge(home / "challenges", slug, title=slug.replace("-", " ").title())
    write_topic(home / "challenges")
    async with running(settings_in(home)) as service:
        yield service


def item(key: str, *names: str, points: int = 10) -> dict[str, Any]:
    choices = [{"kind": "quiz" if name == "adding" else "challenge", "name": name} for name in names]
    return {"key": key, "points": points, "choices": choices}


def plan(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    items = items or (item("one", "add-one"),)
    return {"minutes": 60, "sections": [{"key": "code", "title": "Code", "items": list(items)}], **more}


class Office:
    """A team with its owner, and the URL of its assessments."""

    def __init__(self, owner: Person, team: str) -> None:
        self.owner, self.team, self.path = owner, team, f"/api/teams/{team}/assessments"

    @classmethod
    async def of(cls, service: Service, name: str = "ada") -> "Office":
        owner = await service.person(name)
        made = await owner.http.post("/api/teams", json={"name": "Hiring"})
        return cls(owner, made.json()["id"])

    async def make(self, name: str = "First round", wanted: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = await self.owner.http.post(self.path, json={"name": name, "plan": wanted})
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        address = f"{self.path}{path}" if path.startswith("?") else f"{self.path}/{path}"
        answer = await self.owner.http.request(method, address, json=body)
        return answer.status_code, answer.json() if answer.content else {}

    async def save(self, made: dict[str, Any], version: int, wanted: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return await self.ask("PUT", f"{made['id']}/plan", {"version": version, "plan": wanted})


async def started(service: Service, assessment_id: str) -> AssessmentVersion:
    """Freeze the assessment's plan and the versions of its items, as the service does when the first candidate starts."""
    async with service.state.db.write() as session:
        assessment = await session.get_one(Assessment, assessment_id)
        store = service.state.store
        return await versions.freeze(
            session, assessment, lambda: catalogue_of(session, store, assessment.team_id), store
        )


async def test_a_draft_grows_until_it_can_be_opened(service: Service) -> None:
    office = await Office.of(service)
    made = await office.make()
    assert (made["state"], made["version"], made["number"], made["plan"], made["created_by"]) == (
        "draft",
        0,
        0,
        None,
        "ada",
    )
    assert (await office.ask("POST", f"{made['id']}/open"))[1]["code"] == "no_plan"
    assert (await office.ask("GET", f"{made['id']}/preview"))[1]["code"] == "no_plan"
    status, saved = await office.save(made, 0, plan(item("one", "add-one"), item("two", "add-nine")))
    assert (status, saved["version"], saved["number"]) == (200, 1, 1)
    assert saved["problems"] == [
        {"field": "sections.0.items.1.choices.0", "message": "there is no challenge 'add-nine'"}
    ]
    status, refused = await office.ask("POST", f"{made['id']}/open")
    assert (status, refused["code"], refused["fields"]) == (422, "plan_unusable", saved["problems"])
    status, saved = await office.save(made, 1, plan(item("one", "add-one"), item("q", "adding", points=5)))
    assert (saved["problems"], saved["number"]) == ([], 1)
    assert saved["total"] == {"least": 15, "most": 15, "items": 2, "minutes": 60}
    assert (await office.ask("POST", f"{made['id']}/open"))[1]["state"] == "open"
    status, refused = await office.save(made, 2, plan(item("one", "add-nine")))
    assert (status, refused["code"]) == (422, "plan_unusable"), "what is open stays usable"


async def test_of_two_authors_one_is_told_what_the_other_saved(service: Service) -> None:
    office = await Office.of(service)
    made = await office.make(wanted=plan())
    plans = [plan(minutes=minutes) for minutes in (30, 40, 50)]
    answers = await asyncio.gather(*(office.save(made, 1, wanted) for wanted in plans))
    assert sorted(status for status, _ in answers) == [200, 409, 409]
    [kept] = [told for status, told in answers if status == 200]
    for status, told in answers:
        if status == 409:
            assert (told["code"], told["assessment"]["plan"]) == ("assessment_conflict", kept["plan"])
    status, again = await office.save(made, 1, kept["plan"])
    assert (status, again["version"]) == (200, 2), "an answer that was lost: the same may be sent again"


async def test_the_first_start_freezes_what_was_planned(service: Service) -> None:
    office = await Office.of(service)
    made = await office.make(wanted=plan())
    first = await started(service, made["id"])
    digest = service.state.store.catalogue.by_slug["add-one"].package.digest
    assert versions.digests_of(first) == {"challenge:add-one": digest}
    again = await started(service, made["id"])
    assert (again.number, again.frozen_at) == (1, first.frozen_at)
    assert (await office.ask("GET", made["id"]))[1]["frozen"] is True
    status, saved = await office.save(made, 1, plan(item("two", "add-two")))
    assert (status, saved["number"], saved["frozen"], saved["version"]) == (200, 2, False, 2)
    async with service.state.db.read() as session:
        old = await session.get_one(AssessmentVersion, (made["id"], 1))
    assert [found.name for found in draw(versions.plan_of(old), 1)] == ["add-one"], "who has started keeps his plan"
    assert (await started(service, made["id"])).number == 2
    status, refused = await office.ask("DELETE", made["id"])
    assert (status, refused["code"]) == (409, "assessment_taken")


async def test_starts_and_savings_at_once_never_change_what_is_frozen(service: Service) -> None:
    office = await Office.of(service)
    made = await office.make(wanted=plan())
    starts = [started(service, made["id"]) for _ in range(4)]
    savings = [office.save(made, 1, plan(minutes=30 + number)) for number in range(4)]
    frozen, _ = await asyncio.gather(asyncio.gather(*starts), asyncio.gather(*savings))
    async with service.state.db.read() as session:
        for version in frozen:
            kept = await session.get_one(AssessmentVersion, (made["id"], version.number))
            assert (kept.plan, kept.digests, kept.frozen_at) == (version.plan, version.digests, version.frozen_at)


async def test_what_is_not_served_any_more_cannot_be_started(service: Service) -> None:
    office = await Office.of(service)
    made = await office.make(wanted=plan(item("one", "add-nine")))
    with pytest.raises(versions.PlanUnusable, match="there is no challenge 'add-nine'"):
        await started(service, made["id"])
    empty = await office.make()
    with pytest.raises(versions.NoPlan):
        await started(service, empty["id"])


async def test_archiving_restoring_copying_renaming_deleting(service: Service) -> None:
    office = await Office.of(service)
    made = await office.make("x" * 120, plan())
    await office.ask("POST", f"{made['id']}/open")
    assert (await office.ask("POST", f"{made['id']}/archive"))[1]["state"] == "archived"
    for answer in (await office.ask("POST", f"{made['id']}/open"), await office.save(made, 1, plan(minutes=5))):
        assert (answer[0], answer[1]["code"]) == (409, "assessment_archived")
    status, copy = await office.ask("POST", f"{made['id']}/clone")
    assert (status, copy["state"], copy["plan"], copy["number"]) == (201, "draft", made["plan"], 1)
    assert copy["name"] == f"{'x' * 113} (copy)"
    assert (await office.ask("POST", f"{made['id']}/restore"))[1]["state"] == "draft"
    await office.ask("POST", f"{made['id']}/open")
    assert (await office.ask("POST", f"{made['id']}/restore"))[1]["state"] == "open", "it was not archived"
    assert (await office.ask("PUT", copy["id"], {"name": "Second round"}))[1]["name"] == "Second round"
    assert (await office.ask("DELETE", copy["id"]))[0] == 204
    assert (await office.ask("GET", copy["id"]))[1]["code"] == "assessment_not_found"


async def test_lists_come_in_pages_and_by_state(service: Service) -> None:
    office = await Office.of(service)
    for number in range(3):
        await office.make(str(number), plan())
    first = (await office.ask("GET", "?limit=2"))[1]
    second = (await office.ask("GET", f"?limit=2&cursor={first['next_cursor']}"))[1]
    assert [card["name"] for card in first["items"] + second["items"]] == ["2", "1", "0"]
    await office.ask("POST", f"{first['items'][0]['id']}/open")
    assert [card["name"] for card in (await office.ask("GET", "?state=open"))[1]["items"]] == ["2"]
    assert [card["name"] for card in (await office.ask("GET", "?state=draft"))[1]["items"]] == ["1", "0"]


async def test_a_preview_is_what_its_seed_draws_and_stores_nothing(service: Service) -> None:
    office = await Office.of(service)
    pool = [item("a", "add-one"), item("b", "add-two", "add-three"), item("q", "adding")]
    wanted = plan(*pool, honour="On my honour.", recorded=["pastes"])
    wanted["sections"][0]["draw"] = 2
    made = await office.make(wanted=wanted)
    seen = set()
    for seed in range(12):
        shown = (await office.ask("GET", f"{made['id']}/preview?seed={seed}"))[1]
        assert shown == (await office.ask("GET", f"{made['id']}/preview?seed={seed}"))[1]
        [section] = shown["sections"]
        assert (len(section["items"]), shown["points"]) == (2, 20)
        seen |= {(thing["kind"], thing["title"]) for thing in section["items"]}
    assert seen == {("challenge", f"Add {number}") for number in ("One", "Two", "Three")} | {("quiz", "Adding")}
    assert (shown["team"], shown["assessment"], shown["honour"], shown["recorded"], shown["practice"]) == (
        "Hiring",
        "First round",
        "On my honour.",
        ["pastes"],
        None,
    )
    assert (await office.ask("GET", made["id"]))[1]["frozen"] is False


async def test_an_assessment_of_another_team_is_not_there(service: Service) -> None:
    ada, bob = await Office.of(service, "ada"), await Office.of(service, "bob")
    made = await ada.make(wanted=plan())
    for method, path, body in (
        ("GET", "", None),
        ("PUT", "/plan", {"version": 1, "plan": plan()}),
        ("POST", "/clone", None),
        ("DELETE", "", None),
    ):
        assert (await bob.ask(method, made["id"] + path, body))[1]["code"] == "assessment_not_found", path


async def test_a_team_has_so_many_assessments(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "ASSESSMENTS", 2)
    office = await Office.of(service)
    answers = await asyncio.gather(*(office.owner.http.post(office.path, json={"name": "x"}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 201, 409, 409]
    made = next(answer.json() for answer in answers if answer.status_code == 201)
    assert (await office.ask("POST", f"{made['id']}/clone"))[1]["code"] == "too_many_assessments"
