"""Tests that the rest of the site refuses hints and verdicts for the items of an assessment while a candidate takes it. They
are refused in the candidate's browser and to the candidate's account.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import TypeAdapter

from api import app
from api.content.embargo import browser_embargo, caller_embargo
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.authoring.authoring_rig import good
from tests.api.hiring.rooms.room_requests import room_of
from tests.api.hiring.taking_rig import Rig, Taker, code_of, rig_in

pytestmark = pytest.mark.anyio
CLOSED = (403, "in_your_assessment")
RIGHT = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment that shows verdicts after the candidate has finished, and a challenge that the assessment
    does not use.
    """
    write_challenge(home / "challenges", "add-two")
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        yield rig


async def tries(http: httpx.AsyncClient) -> list[httpx.Response]:
    """Send one request to each route outside of the assessment that could reveal something about the assessment's challenge or
    quiz. Return the responses.
    """
    return [
        await http.post("/api/submissions", json={"slug": "add-one", "kind": "submit", "source": RIGHT}),
        await http.post("/api/submissions", json={"slug": "add-one", "kind": "run", "source": RIGHT}),
        await http.post("/api/scratch", json={"slug": "add-one", "source": RIGHT, "snippet": "print(add_one(1))"}),
        await http.get("/api/challenges/add-one/own-input"),
        await http.post("/api/challenges/add-one/own-inputs", json={"source": RIGHT, "input": "add_one(1)"}),
        await http.get("/api/challenges/add-one/hints"),
        await http.post("/api/challenges/add-one/hints", json={"count": 1}),
        await http.post("/api/challenges/add-one/giving-up"),
        await http.get("/api/challenges/add-one/editorial"),
        await http.get("/api/challenges/add-one/answers"),
        await http.get("/api/challenges/add-one/comments"),
        await http.post("/api/topics/adding/attempts"),
    ]


# Response schemas that contain hints, verdicts or right answers of challenges and quizzes.
TELLING = {"SubmissionView", "HintsView", "EditorialView", "SharedView", "SharedPage", "MarkView", "CardView"}
TELLING |= {"CommentView", "ThreadPage"}
# Paths to which other rules apply: those of the assessment itself, of teams, and of administrators.
OTHER_RULES = ("/api/participation", "/api/take", "/api/teams", "/api/admin")
NOTHING_NEW = {
    "/api/submissions/{submission_id}/cancel": "a cancelled submission has no results",
    "/api/me/export": "holds only what the account was told before the assessment began",
}


def tells(route: APIRoute) -> bool:
    """Return whether the route's response is a stream or contains one of the schemas in TELLING."""
    if route.response_model is None:
        return "StreamingResponse" in getattr(route.response_class, "__name__", "")
    schema = TypeAdapter(route.response_model).json_schema()
    return bool(TELLING & {schema.get("title"), *schema.get("$defs", {})})


def test_every_route_that_tells_results_asks_whether_a_running_assessment_closes_it() -> None:
    found = [each.original_route for each in iter_route_contexts(app._routes())]
    telling = [each for each in found if isinstance(each, APIRoute) and tells(each)]
    missing = {
        each.path
        for each in telling
        if not {caller_embargo, browser_embargo} & {part.call for part in each.dependant.dependencies}
    }
    missing = {path if path.startswith("/api") else f"/api{path}" for path in missing}
    assert {path for path in missing if not path.startswith(OTHER_RULES)} == NOTHING_NEW.keys()


async def signals(rig: Rig) -> list[tuple[int, str, str]]:
    """Return the signals in the team's report, each as (position of the item, kind, detail)."""
    answer = await rig.owner.http.get(f"{rig.path}/participations/{(await rig.watched())[0]['id']}/signals")
    return [(each["position"], each["kind"], each["detail"]) for each in answer.json()["items"]]


async def test_a_guest_in_the_candidates_browser_gets_nothing_for_the_items_and_all_else(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    assert (await taker.http.post("/api/guest")).status_code in (200, 201)
    assert [code_of(each) for each in await tries(taker.http)] == [CLOSED] * 12
    assert set(await signals(rig)) == {
        (1, "practice", "verdict"),
        (1, "practice", "scratch run"),
        (1, "practice", "own input"),
        (1, "practice", "hints"),
        (1, "practice", "editorial"),
        (1, "practice", "answers of others"),
        (1, "practice", "discussion"),
        (2, "practice", "quiz"),
    }
    other = {"slug": "add-two", "kind": "submit", "source": RIGHT}
    assert (await taker.http.post("/api/submissions", json=other)).status_code == 201
    assert (await taker.send(RIGHT)).status_code == 409, "within the assessment its own rules hold"
    await taker.http.post("/api/participation/finish")
    assert (await taker.http.get("/api/challenges/add-one/hints")).status_code == 200, "it is open again after the end"


async def test_a_live_interview_judges_nothing_for_the_items_of_the_assessment(rig: Rig) -> None:
    person = await rig.service.person("eve")
    room = await room_of("{room_id}", person.http, "")
    judged = f"/api/rooms/{room['room_id']}/submissions"
    before = await person.http.post(judged, json={"kind": "submit"})
    assert before.status_code == 201, before.text
    assert (await Taker(person.http).start((await rig.invite())["token"])).status_code == 201
    seen = f"{judged}/{before.json()['id']}"
    assert code_of(await person.http.post(judged, json={"kind": "submit"})) == CLOSED
    assert [code_of(await person.http.get(path)) for path in (seen, f"{seen}/events")] == [CLOSED] * 2


async def test_the_account_of_the_same_browser_is_closed_in_another_one_too(rig: Rig) -> None:
    person = await rig.service.person("eve")
    before = await person.http.post("/api/submissions", json={"slug": "add-one", "kind": "submit", "source": RIGHT})
    assert (await Taker(person.http).start((await rig.invite())["token"])).status_code == 201
    laptop = rig.service.client()
    entry = {"email": "eve@example.org", "password": "ten characters"}
    assert (await laptop.post("/api/session", json=entry)).status_code in (200, 201)
    assert [code_of(each) for each in await tries(laptop)] == [CLOSED] * 12
    earlier = f"/api/submissions/{before.json()['id']}"
    assert [code_of(await laptop.get(path)) for path in (earlier, f"{earlier}/events")] == [CLOSED] * 2
    stranger = await rig.service.person("bea")
    assert (await stranger.http.get("/api/challenges/add-one/hints")).status_code == 200


async def test_the_account_of_the_invited_address_is_closed_wherever_the_candidate_works(rig: Rig) -> None:
    person = await rig.service.person("eve")
    await rig.start((await rig.invite(email="eve@example.org"))["token"])
    assert code_of(await person.http.get("/api/challenges/add-one/hints")) == CLOSED


async def account_beside(rig: Rig) -> tuple[httpx.AsyncClient, Taker]:
    """Sign up, answer a question of the quiz, then start the assessment in the same browser. Return two clients: a second
    browser that is signed in to the account, and the candidate's browser.
    """
    person = await rig.service.person("eve")
    attempt = good(await person.http.post("/api/topics/adding/attempts"), 201)["id"]
    body = {"question": "how-much", "answer": 3}
    good(await person.http.post(f"/api/attempts/{attempt}/answers", json=body), 201)
    taker = Taker(person.http)
    assert (await taker.start((await rig.invite())["token"])).status_code == 201
    laptop = rig.service.client()
    entry = {"email": "eve@example.org", "password": "ten characters"}
    assert (await laptop.post("/api/session", json=entry)).status_code in (200, 201)
    return laptop, taker


async def test_cards_of_the_asked_quiz_wait_until_the_assessment_has_ended(rig: Rig) -> None:
    laptop, taker = await account_beside(rig)
    deck = {"deck": "missed"}
    assert good(await laptop.get("/api/cards", params=deck))["cards"] == []
    assert good(await laptop.get("/api/cards"))["cards"], "cards of the topic's public page are still asked"
    await taker.http.post("/api/participation/finish")
    assert [each["kind"] for each in good(await laptop.get("/api/cards", params=deck))["cards"]] == ["quiz"]


HALF_AN_HOUR = {"level": "junior", "minutes": 30, "draw": 1}


async def test_mock_interviews_draw_nothing_that_the_assessment_asks(rig: Rig) -> None:
    laptop, _ = await account_beside(rig)
    drawn = good(await laptop.post("/api/interviews", json=HALF_AN_HOUR), 201)["items"]
    assert [each["slug"] for each in drawn] == ["add-two"]


async def test_a_mock_interview_that_asks_the_same_is_closed_until_the_assessment_has_ended(rig: Rig) -> None:
    person = await rig.service.person("eve")
    interview = good(await person.http.post("/api/interviews", json=HALF_AN_HOUR), 201)
    assert {each["kind"] for each in interview["items"]} == {"question", "challenge"}
    path = f"/api/interviews/{interview['id']}"
    taker = Taker(person.http)
    assert (await taker.start((await rig.invite())["token"])).status_code == 201
    laptop = rig.service.client()
    entry = {"email": "eve@example.org", "password": "ten characters"}
    assert (await laptop.post("/api/session", json=entry)).status_code in (200, 201)
    refused = [await laptop.get(path), await laptop.post(f"{path}/finish")]
    assert [code_of(each) for each in refused] == [CLOSED] * 2
    assert {told for _, _, told in await signals(rig)} == {"mock interview"}
    await taker.http.post("/api/participation/finish")
    assert good(await laptop.get(path))["id"] == interview["id"]
