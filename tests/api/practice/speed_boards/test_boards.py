"""Tests places on speed boards, pages, entries, profiles, moderation and the picture."""

import asyncio
import math
import secrets
from collections.abc import AsyncIterator
from typing import Any
from xml.etree import ElementTree

import pytest
from sqlalchemy import delete, select

from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.practice.leaderboards.models import Solve
from api.practice.measurements import answers, entries
from api.practice.measurements.models import Measurement, SpeedBoard, SpeedEntry
from api.practice.speed_boards import ranks
from api.practice.speed_boards.entry_page import exponent
from api.practice.speed_boards.schemas import Point
from grader.contract.ranking import interval
from grader.contract.ranking import ranks as ranks_of
from tests.api.practice.speed_boards.measuring_rig import (
    accepted,
    asked,
    board,
    measure,
    measure_house,
    progress,
    write_scored,
)
from tests.api.running_service import WITHIN_S, Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


@pytest.fixture
async def service(home: Any) -> AsyncIterator[Service]:
    """A running service with a scored challenge."""
    write_scored(home / "challenges")
    async with running(settings_in(home, repeat_window_s=0)) as service:
        yield service


@pytest.fixture
async def node(service: Service) -> ScriptedNode:
    return await service.node(measures=True)


async def ranked(service: Service, person: Person, node: ScriptedNode, ratio: float, number: int = 0) -> str:
    """Submit an answer, measure it twice and wait for its place. The first call also measures the challenge's own answers."""
    sent = await accepted(service, person, node, number)
    first = not (await board(person))["boards"]
    await measure(node, ratio)
    if first:
        await measure_house(node)
    await measure(node, ratio)
    await until(person, sent, "ranked")
    return sent


async def until(person: Person, submission_id: str, state: str) -> Any:
    async with asyncio.timeout(WITHIN_S):
        while (told := await progress(person, submission_id))["state"] != state:
            await asyncio.sleep(0.02)
    return told


async def filled(service: Service, ratios: list[float], std_error: float = 0.01) -> str:
    """Store a board with an entry for each ratio. Return the board's ID."""
    moment, board_id = now(), secrets.token_hex(16)
    challenge = service.state.store.catalogue.by_slug["add-one"]
    assert challenge.scored
    plan = answers.plan_digest(challenge.scored.plan)
    async with service.state.db.write() as session:
        common = {"quantity": "speed", "gflops": 1.0, "gb_per_s": 1.0, "noise": 0.01, "node": "n"}
        session.add(
            SpeedBoard(
                id=board_id,
                slug="add-one",
                plan=plan,
                cpu="c",
                torch="t",
                runner="r",
                created_at=moment,
                measured_at=moment,
                **common,
            )
        )
        await session.flush()
        for number, ratio in enumerate(ratios):
            account_id, measurement_id = f"{number:032x}", secrets.token_hex(16)
            account = {"email": f"p{number}@x.org", "name": f"p{number}", "role": "user", "password_hash": ""}
            session.add(Account(id=account_id, created_at=moment, **account))
            await session.flush()
            session.add(
                Measurement(
                    id=measurement_id, account_id=account_id, slug="add-one", plan=plan, code="c", status="measured",
                    rank_at=moment, asked_at=moment, board_id=board_id, log_ratio=math.log(ratio), std_error=std_error,
                )
            )  # fmt: skip
            await session.flush()
            found = interval(math.log(ratio), std_error, 0.01)
            session.add(
                SpeedEntry(
                    board_id=board_id, account_id=account_id, measurement_id=measurement_id, log_ratio=math.log(ratio),
                    std_error=std_error, low=found.low, high=found.high, sessions=2, confirming=False, shown=True,
                    measured_at=moment,
                )
            )  # fmt: skip
    return board_id


async def test_ranks_are_those_of_the_contract_on_every_page(service: Service) -> None:
    ratios = [1.0 + 0.013 * (number % 60) for number in range(120)]
    board_id = await filled(service, ratios)
    expected = ranks_of([interval(math.log(ratio), 0.01, 0.01) for ratio in ratios])
    ada, seen, cursor = await service.person("ada"), {}, ""
    last = 0
    while True:
        page = await board(ada, limit=17, cursor=cursor)
        for item in page["items"]:
            seen[int(item["account_id"], 16)] = item["rank"]
            assert item["rank"] >= last
            last = item["rank"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [seen[number] for number in range(120)] == expected
    async with service.state.db.read() as session:
        for number in (0, 59, 77):
            places = await ranks.around(session, board_id, f"{number:032x}", 9)
            assert {int(each.entry.account_id, 16): each.rank for each in places}[number] == expected[number]
            assert 5 <= len(places) <= 9


async def test_equal_entries_share_a_place_and_different_ones_do_not(service: Service) -> None:
    await filled(service, [2.0, 2.02, 3.0])
    page = await board(await service.person("ada"))
    assert [(each["name"], each["rank"]) for each in page["items"]] == [("p2", 1), ("p1", 2), ("p0", 2)]


async def test_malformed_requests_get_clear_errors(service: Service) -> None:
    ada = await service.person("ada")
    board_id = await filled(service, [2.0])
    for wanted in ({"cursor": "xyz"}, {"cursor": ranks.cursor_of(ranks.Key(-1.0, "a"))}):
        assert (await ada.http.get("/api/boards/speed/add-one", params=wanted)).json()["code"] == "bad_cursor"
    assert (await ada.http.get("/api/boards/speed/nothing")).json()["code"] == "challenge_not_found"
    told = await ada.http.get("/api/boards/speed/add-one", params={"board": "0" * 32})
    assert told.json()["code"] == "speed_board_not_found"
    assert (await board(ada, board=board_id))["total"] == 1
    assert (await ada.http.get(f"/api/speed-entries/{'0' * 32}")).json()["code"] == "speed_entry_not_found"


async def test_two_sessions_that_disagree_are_reviewed(service: Service, node: ScriptedNode) -> None:
    ada, admin = await service.person("ada"), await service.admin()
    sent = await accepted(service, ada, node)
    await measure(node, 3.0)
    await measure_house(node)
    await measure(node, 2.0)
    told = await until(ada, sent, "flagged")
    assert told["rank"] is None
    assert (await board(ada))["items"] == []
    found = (await admin.http.get("/api/admin/measurements")).json()["open"]
    assert [(each["flag"], each["name"]) for each in found] == [("disagrees", "ada")]
    path = f"/api/admin/measurements/{found[0]['id']}/review"
    assert (await admin.http.put(path, json={"decision": "withdraw", "reason": " "})).status_code == 422
    assert (await ada.http.put(path, json={"decision": "accept"})).status_code == 403
    assert (await admin.http.put(path, json={"decision": "accept"})).status_code == 200
    told = await until(ada, sent, "ranked")
    assert 2.4 < told["interval"]["ratio"] < 2.5, "both sessions count"
    audit = (await admin.http.get("/api/admin/audit")).json()["items"]
    assert audit[0]["action"] == "measurement.accept"


async def test_an_answer_below_the_floor_is_reviewed_and_can_be_withdrawn(service: Service, node: ScriptedNode) -> None:
    ada, bob, admin = await service.person("ada"), await service.person("bob"), await service.admin()
    sent = await accepted(service, ada, node)
    await measure(node, 50.0, floor=1.0)
    await measure_house(node)
    await until(ada, sent, "flagged")
    entry = (await admin.http.get("/api/admin/measurements")).json()["open"][0]
    assert entry["flag"] == "floor"
    assert (await bob.http.get(f"/api/speed-entries/{entry['id']}")).status_code == 404
    assert (await ada.http.get(f"/api/speed-entries/{entry['id']}")).json()["state"] == "flagged"
    path = f"/api/admin/measurements/{entry['id']}/review"
    reason = "It keeps results between calls."
    assert (await admin.http.put(path, json={"decision": "withdraw", "reason": reason})).status_code == 200
    told = await until(ada, sent, "withdrawn")
    assert told["reason"] == reason
    pages = [await board(each) for each in (admin, ada, bob)]
    assert [[each["reason"] for each in page["withdrawn"]] for page in pages] == [[reason], [reason], []]
    decided = (await admin.http.get("/api/admin/measurements")).json()
    assert (decided["open"], decided["decided"][0]["review"]) == ([], "withdrawn")


async def test_a_ranked_entry_can_be_withdrawn_and_the_next_best_takes_its_place(
    service: Service, node: ScriptedNode
) -> None:
    ada, admin = await service.person("ada"), await service.admin()
    first = await ranked(service, ada, node, 2.0)
    await ranked(service, ada, node, 3.0, number=1)
    assert (await progress(ada, first))["state"] == "beaten"
    [item] = (await board(ada))["items"]
    path = f"/api/admin/measurements/{item['id']}/review"
    assert (await admin.http.put(path, json={"decision": "accept"})).json()["code"] == "nothing_to_accept"
    assert (await admin.http.put(path, json={"decision": "withdraw", "reason": "No."})).status_code == 200
    assert (await progress(ada, first))["state"] == "ranked"
    assert (await admin.http.put(path, json={"decision": "accept"})).status_code == 200
    assert (await progress(ada, first))["state"] == "beaten"


async def test_an_account_keeps_its_place_while_a_better_answer_is_confirmed(
    service: Service, node: ScriptedNode
) -> None:
    ada = await service.person("ada")
    await ranked(service, ada, node, 2.0)
    sent = await accepted(service, ada, node, 1)
    await measure(node, 3.0)
    await until(ada, sent, "confirming")
    [item] = (await board(ada))["items"]
    assert (item["rank"], round(item["interval"]["ratio"], 1)) == (1, 2.0)
    await measure(node, 3.0)
    await until(ada, sent, "ranked")
    [item] = (await board(ada))["items"]
    assert round(item["interval"]["ratio"], 1) == 3.0


async def test_entries_beyond_the_first_places_need_no_confirmation(service: Service, node: ScriptedNode) -> None:
    await filled(service, [5.0 * 1.2**number for number in range(12)])
    async with service.state.db.write() as session:
        [found] = await session.scalars(select(SpeedBoard))
        found.cpu, found.torch, found.runner, found.node = "Test CPU 9000", "2.13.0", "runner-1", "node-1"
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    await measure(node, 2.0)
    told = await until(ada, sent, "ranked")
    assert (told["rank"], told["total"]) == (13, 13)
    # Three people above leave, so the entry is among the first ten, and is measured again.
    async with service.state.db.write() as session:
        for number in range(9, 12):
            await session.execute(delete(Account).where(Account.id == f"{number:032x}"))
        [found] = await session.scalars(select(SpeedBoard))
        await entries.confirm_top(session, found)
    await until(ada, sent, "confirming")
    await measure(node, 2.0)
    assert (await until(ada, sent, "ranked"))["rank"] == 10


async def test_the_noise_of_the_baseline_widens_all_intervals(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    await measure(node, 2.0)
    await until(ada, sent, "confirming")
    before = (await progress(ada, sent))["interval"]
    await measure_house(node, noise=0.05)
    async with asyncio.timeout(WITHIN_S):
        while (page := await board(ada))["board"]["noise"] < 0.04:
            await asyncio.sleep(0.02)
    after = (await progress(ada, sent))["interval"]
    assert after["low"] < before["low"]
    [item] = page["confirming"]
    assert item["interval"]["low"] == pytest.approx(after["low"])


async def test_other_machines_have_other_boards(service: Service, node: ScriptedNode) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    await ranked(service, ada, node, 2.0)
    other = await service.node("node-2", measures=True)
    sent = await accepted(service, bob, node)
    assert await other.silent(), "the node of the board measures the next answer too"
    await measure(node, 3.0, cpu="Newer CPU")
    await until(bob, sent, "confirming")
    page = await board(ada)
    assert [(each["cpu"], each["current"]) for each in page["boards"]] == [
        ("Newer CPU", True),
        ("Test CPU 9000", False),
    ]
    assert (page["items"], [each["name"] for each in page["confirming"]]) == ([], ["bob"])
    old = await board(ada, board=page["boards"][1]["id"])
    assert [each["name"] for each in old["items"]] == ["ada"]


async def test_an_entry_page_shows_curves_and_belongs_to_everybody(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    sent = await ranked(service, ada, node, 2.0)
    visitor = Person(service.client())
    [item] = (await board(visitor))["items"]
    told = await visitor.http.get(f"/api/speed-entries/{item['id']}")
    entry = told.json()
    assert (entry["name"], entry["rank"], entry["own"], entry["submission_id"]) == ("ada", 1, False, None)
    assert {each["name"]: each["exponent"] and round(each["exponent"], 6) for each in entry["curves"]} == {
        "answer": 2.0,
        "baseline": 2.0,
        "library": 2.0,
        "floor": 0.0,
    }
    assert len(entry["sessions"]) == 2
    assert entry["operators"][0] == {"name": "aten::add", "share": 0.8}
    assert "add_one" not in told.text, "an answer is shown only where its owner shares it"
    assert entry["shared_id"] is None
    own = (await ada.http.get(f"/api/speed-entries/{item['id']}")).json()
    assert (own["own"], own["submission_id"]) == (True, sent)
    house = (await visitor.http.get(f"/api/speed-entries/{(await board(visitor))['house'][0]['id']}")).json()
    assert (house["role"], house["account_id"]) == ("baseline", None)


async def test_unlisted_people_leave_the_board_and_erased_ones_leave_no_row(
    service: Service, node: ScriptedNode
) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    await ranked(service, ada, node, 2.0)
    [item] = (await board(bob))["items"]
    assert (await ada.http.put("/api/me/listing", json={"listed": False, "name": ""})).status_code == 200
    assert ((await board(bob))["items"], (await board(bob))["total"]) == ([], 0)
    assert (await bob.http.get(f"/api/speed-entries/{item['id']}")).status_code == 404
    assert (await ada.http.put("/api/me/listing", json={"listed": True, "name": "Ada L."})).status_code == 200
    assert [each["name"] for each in (await board(bob))["items"]] == ["Ada L."]
    mine = (await ada.http.get("/api/me")).json()["id"]
    profile = (await bob.http.get(f"/api/profiles/{mine}")).json()
    assert [(each["slug"], each["rank"], each["total"]) for each in profile["speed"]] == [("add-one", 1, 1)]
    async with service.state.db.write() as session:
        await session.execute(delete(Account).where(Account.id == mine))
    async with service.state.db.read() as session:
        left = list(await session.scalars(select(Measurement.role)))
        assert (sorted(set(left)), list(await session.scalars(select(SpeedEntry)))) == (["baseline", "library"], [])


async def test_own_place_and_list_of_boards(service: Service, node: ScriptedNode) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    [empty] = (await bob.http.get("/api/boards/speed")).json()["items"]
    assert (empty["slug"], empty["entries"], empty["first"]) == ("add-one", 0, None)
    await ranked(service, ada, node, 2.0)
    told = (await ada.http.get("/api/boards/speed/add-one/me")).json()
    assert (told["mine"]["rank"], told["total"], [each["state"] for each in told["attempts"]]) == (1, 1, ["ranked"])
    none = (await bob.http.get("/api/boards/speed/add-one/me")).json()
    assert (none["mine"], none["items"], none["attempts"]) == (None, [], [])
    [one] = (await bob.http.get("/api/boards/speed")).json()["items"]
    assert (one["entries"], one["first"]["name"]) == (1, "ada")
    card = (await bob.http.get("/api/challenges", params={"scored": True})).json()["items"][0]
    assert card["scored"] == {"quantity": "speed", "sizes": [64, 256]}


async def test_the_picture_is_svg_whatever_the_names_are(service: Service) -> None:
    visitor = Person(service.client())
    empty = await visitor.http.get("/api/boards/speed/add-one/embed.svg")
    assert "No entry yet" in empty.text
    await filled(service, [2.0, 3.0])
    async with service.state.db.write() as session:
        account = await session.get_one(Account, f"{0:032x}")
        account.name = "<script>alert(1)</script>&"
    told = await visitor.http.get("/api/boards/speed/add-one/embed.svg")
    assert told.headers["content-type"].startswith("image/svg+xml")
    ElementTree.fromstring(told.text)
    assert told.headers["cross-origin-resource-policy"] == "cross-origin", "other sites may show it"
    assert "<script" not in told.text
    assert "p1" in told.text


async def test_progress_is_private(service: Service, node: ScriptedNode) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    sent = await accepted(service, ada, node)
    await asked(node)
    assert (await bob.http.get(f"/api/submissions/{sent}/measurement")).status_code == 404


async def test_a_solve_that_is_gone_hides_the_entry(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    await ranked(service, ada, node, 2.0)
    async with service.state.db.write() as session:
        [found] = await session.scalars(select(SpeedBoard))
        mine = (await session.scalars(select(SpeedEntry.account_id))).one()
        await session.execute(delete(Solve))
        await entries.refresh(session, found, mine)
    assert (await board(ada))["items"] == []


def test_the_exponent_is_the_slope_on_logarithmic_axes() -> None:
    assert exponent([Point(size=10, value=3.0), Point(size=100, value=3000.0)]) == pytest.approx(3.0)
    assert exponent([Point(size=10, value=3.0)]) is None
    assert exponent([Point(size=10, value=0.0), Point(size=20, value=0.0)]) is None


def test_combined_estimates_weigh_by_their_precision() -> None:
    found = answers.combined([answers.Estimate(0.0, 0.01), answers.Estimate(0.3, 0.02)])
    assert found.log_ratio == pytest.approx(0.06)
    assert found.std_error == pytest.approx(0.01 * 0.8**0.5)
    assert answers.combined([answers.Estimate(1.0, 0.0)] * 2).std_error > 0
