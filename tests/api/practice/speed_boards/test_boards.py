"""Tests places on speed boards, pages, entries, profiles, moderation and the picture."""

import math
from xml.etree import ElementTree

import pytest
from sqlalchemy import delete, select

from api.identity.accounts.models import Account
from api.practice.leaderboards import rank_milestones
from api.practice.measurements import answer_estimates
from api.practice.measurements.models import Measurement, SpeedEntry
from api.practice.speed_boards import ranks
from api.practice.speed_boards.entry_page import exponent
from api.practice.speed_boards.schemas import Point
from grader.contract.ranking import interval
from grader.contract.ranking import ranks as ranks_of
from tests.api.practice.speed_boards.measuring_rig import (
    accepted,
    asked,
    board,
    filled,
    measure,
    ranked,
    until,
)
from tests.api.running_service import Person, Service
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


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
            places = await ranks.SpeedRanks(session, service.state.milestones).around(board_id, f"{number:032x}", 9)
            assert {int(each.entry.account_id, 16): each.rank for each in places}[number] == expected[number]
            assert 5 <= len(places) <= 9


async def test_milestones_change_no_rank(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ratios = [1.0 + 0.013 * (number % 20) for number in range(100)]
    board_id = await filled(service, ratios)
    expected = ranks_of([interval(math.log(ratio), 0.01, 0.01) for ratio in ratios])
    monkeypatch.setattr(rank_milestones, "LARGE", 100)
    for step in (2, 3, 7, 100):
        monkeypatch.setattr(rank_milestones, "STEP", step)
        cache = rank_milestones.Milestones()
        async with service.state.db.read() as session:
            here = ranks.SpeedRanks(session, cache)
            places = await here.after(board_id, None, 100)
            single = [await here.of_account(board_id, f"{number:032x}") for number in range(20)]
            assert await here.size(board_id) == 100
        assert len(cache._kept["speed", board_id].keys) == -(-100 // step)
        assert {int(each.entry.account_id, 16): each.rank for each in places} == dict(enumerate(expected))
        assert [each.rank for each in single if each] == expected[:20]


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
    await filled(service, [2.0, 3.0, 4.0])
    async with service.state.db.write() as session:
        account = await session.get_one(Account, f"{0:032x}")
        account.name = "<script>alert(1)</script>&"
        other = await session.get_one(Account, f"{2:032x}")
        other.name = "no\ufffexml\x07"
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


def test_the_exponent_is_the_slope_on_logarithmic_axes() -> None:
    assert exponent([Point(size=10, value=3.0), Point(size=100, value=3000.0)]) == pytest.approx(3.0)
    assert exponent([Point(size=10, value=3.0)]) is None
    assert exponent([Point(size=10, value=0.0), Point(size=20, value=0.0)]) is None


def test_combined_estimates_weigh_by_their_precision() -> None:
    found = answer_estimates.combined([answer_estimates.Estimate(0.0, 0.01), answer_estimates.Estimate(0.3, 0.02)])
    assert found.log_ratio == pytest.approx(0.06)
    assert found.std_error == pytest.approx(0.01 * 0.8**0.5)
    assert answer_estimates.combined([answer_estimates.Estimate(1.0, 0.0)] * 2).std_error > 0
