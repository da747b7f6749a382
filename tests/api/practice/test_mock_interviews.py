"""Tests mock interviews over HTTP: which items are drawn, the server's clock, which answers count, and the report."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from api.judging.submissions.models import Judging
from api.practice.mock_interviews.draw import PracticeHistory, Preferences, draw
from api.practice.running_interviews.models import Interview
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.scripted_node import judgement_of, result_of
from tests.api.topic_folders import QUIZ, write_topic, write_track

pytestmark = pytest.mark.anyio
HALF_AN_HOUR = {"level": "junior", "minutes": 30}
RIGHT = {"how-much": 2, "shape": "(3,)"}
ADA = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}
SHORT = QUIZ[: QUIZ.index("[[question]]")] + QUIZ[QUIZ.index('[[question]]\nid = "how-much"') :]


@pytest.fixture
async def service(home: Path) -> Any:
    """The service with a challenge, and a topic with two questions whose right answers are known in advance (RIGHT)."""
    write_challenge(home / "challenges")
    write_topic(home / "challenges", quiz=SHORT)
    write_track(home / "challenges")
    async with running(settings_in(home)) as service:
        yield service


async def begun(client: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    answer = await client.post("/api/interviews", json={**HALF_AN_HOUR, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def told(client: httpx.AsyncClient, interview: dict[str, Any]) -> dict[str, Any]:
    return dict((await client.get(f"/api/interviews/{interview['id']}")).json())


async def answered(client: httpx.AsyncClient, item: dict[str, Any], answer: Any) -> None:
    body = {"question": item["question"]["id"], "answer": answer}
    made = await client.post(f"/api/attempts/{item['attempt']}/answers", json=body)
    assert made.status_code == 201, made.text


async def move(service: Service, interview: dict[str, Any], by: timedelta) -> None:
    """Move the start of the interview into the past by this much."""
    async with service.state.db.write() as session:
        row = await session.get_one(Interview, interview["id"])
        row.started_at, row.deadline = row.started_at - by, row.deadline - by


async def test_an_interview_from_the_draw_to_the_report(service: Service) -> None:
    person, node = await service.person(), await service.node()
    interview = await begun(person.http)
    assert (interview["ended_at"], interview["percent"], interview["revise"]) == (None, 0, [])
    assert sorted(item["kind"] for item in interview["items"]) == ["challenge", "question", "question"]
    *questions, challenge = interview["items"]
    await asyncio.sleep(0.2)  # some time must pass before the first answer, because the report counts seconds
    assert (challenge["slug"], challenge["state"], challenge["title"]) == ("add-one", "open", "Add one")
    await answered(person.http, questions[0], RIGHT[questions[0]["question"]["id"]])
    await answered(person.http, questions[1], "77" if questions[1]["question"]["id"] == "shape" else 77)
    sent = await person.send()
    assert (await told(person.http, interview))["items"][2]["state"] == "judging"
    await node.ready()
    job = await node.take()
    tests = (result_of("test_zero", Verdict.WA, "no"), *judgement_of(job).tests[1:])
    await node.judge(job, Verdict.WA, tests=tests, score=2)
    await person.until(sent["id"], "judged")
    ended = (await person.http.post(f"/api/interviews/{interview['id']}/finish")).json()
    assert [(item["state"], item["share"]) for item in ended["items"]] == [("right", 1), ("wrong", 0), ("wrong", 0.5)]
    assert ended["items"][1]["question"]["mark"]["key"]
    assert ended["items"][2]["verdict"] == "WA"
    # Items are weighted by their minutes, which are two for each question and three for the challenge. So the shares 1, 0 and
    # 0.5 give 2 + 0 + 1.5 of 7.
    assert ended["percent"] == 50
    assert [topic["id"] for topic in ended["revise"]] == ["adding"]
    assert sum(item["seconds"] for item in ended["items"]) > 0
    again = (await person.http.post(f"/api/interviews/{interview['id']}/finish")).json()
    assert again["ended_at"] == ended["ended_at"]
    listed = (await person.http.get("/api/interviews")).json()["items"]
    assert [(each["id"], each["percent"], each["questions"], each["challenges"]) for each in listed] == [
        (interview["id"], 50, 2, 1)
    ]


async def test_what_is_received_after_the_end_does_not_count(service: Service) -> None:
    person = await service.person()
    interview = await begun(person.http)
    first, second, _ = interview["items"]
    await answered(person.http, first, RIGHT[first["question"]["id"]])
    await move(service, interview, timedelta(minutes=31))
    late = await told(person.http, interview)
    assert late["ended_at"] == late["deadline"]
    assert {item["state"] for item in late["items"]} == {"open"}, "the answer came a moment ago: after the end"
    await move(service, interview, timedelta(minutes=-31))
    await person.http.post(f"/api/interviews/{interview['id']}/finish")
    await answered(person.http, second, RIGHT[second["question"]["id"]])
    await person.send()
    after = await told(person.http, interview)
    assert [item["state"] for item in after["items"]] == ["right", "open", "open"]


async def test_only_one_runs_at_a_time_and_it_ends_by_itself(service: Service) -> None:
    person = await service.person()
    interview = await begun(person.http)
    refused = await person.http.post("/api/interviews", json=HALF_AN_HOUR)
    assert (refused.status_code, refused.json()["code"]) == (409, "interview_running")
    await move(service, interview, timedelta(minutes=30))
    other = await begun(person.http)
    assert other["id"] != interview["id"]
    listed = (await person.http.get("/api/interviews")).json()["items"]
    assert [each["ended_at"] is None for each in listed] == [True, False]


async def test_keys_stay_on_the_server_until_there_is_an_answer(service: Service) -> None:
    person = await service.person()
    interview = await begun(person.http)
    assert all(item["question"]["mark"] is None for item in interview["items"][:2])
    ended = await person.http.post(f"/api/interviews/{interview['id']}/finish")
    assert "explanation" not in ended.text
    assert "Two" not in ended.text


async def test_what_an_interview_asks_about_is_closed_to_its_taker_until_it_has_ended(service: Service) -> None:
    person, other, here = await service.person(), await service.person("bob"), "/api/challenges/add-one"
    identifier = (await person.send())["id"]
    async with service.state.db.write() as session:
        await session.execute(update(Judging).values(status="judged", verdict=Verdict.AC))
    before = (await person.http.post("/api/topics/adding/attempts")).json()["id"]
    body = {"question": "how-much", "answer": 3}
    assert (await person.http.post(f"/api/attempts/{before}/answers", json=body)).json()["key"] == 2
    interview = await begun(person.http)
    asks = [
        ("GET", f"{here}/own-input"),
        ("GET", f"{here}/hints"),
        ("GET", f"{here}/editorial"),
        ("GET", f"{here}/answers"),
    ]
    asks += [("POST", f"{here}/giving-up"), ("GET", f"/api/attempts/{before}"), ("POST", "/api/topics/adding/attempts")]
    for method, path in asks:
        refused = await person.http.request(method, path)
        assert (refused.status_code, refused.json()["code"]) == (403, "asked_in_interview"), path
        assert "SECRET" not in refused.text
    own_input = {"source": "x = 1", "input": "add_one(1)"}
    closed = (
        (f"{here}/hints", {"count": 1}),
        (f"{here}/own-inputs", own_input),
        (f"/api/attempts/{before}/answers", body),
    )
    for path, sent in closed:
        assert (await person.http.post(path, json=sent)).json()["code"] == "asked_in_interview"
    way = (await person.http.get(f"{here}/way")).json()
    assert (way["open"], way["interview"]) == (False, interview["id"])
    cards = "/api/cards?ahead=true&deck=missed"
    assert (await person.http.get(cards)).json()["unlearnt"] == 0
    assert (await person.http.get(f"/api/submissions/{identifier}/source")).status_code == 200, "what is one's own"
    for client in (other.http, service.client()):
        assert (await client.get(f"{here}/hints")).json()["hints"] == ["Use the plus sign", "It takes two operands"]
    for item in interview["items"][:2]:
        await answered(person.http, item, RIGHT[item["question"]["id"]])
    await person.http.post(f"/api/interviews/{interview['id']}/finish")
    assert [(await person.http.request(*ask)).status_code for ask in asks] == [200] * 7
    assert (await person.http.get(f"{here}/way")).json()["interview"] is None


async def test_the_same_seed_draws_the_same(service: Service, home: Path) -> None:
    for number in range(12):
        write_challenge(home / "challenges", f"add-{number}", difficulty="hard" if number % 2 else "easy")
        write_topic(home / "challenges", f"topic-{number}", (f"add-{number}",))
    catalogue = service.state.store.reload()
    preferences = Preferences("junior", 30)
    draws = [tuple(draw(catalogue, preferences, PracticeHistory(), seed)) for seed in (1, 1, 2, 3)]
    assert draws[0] == draws[1]
    assert len(set(draws)) == 3
    assert all(sum(item.minutes for item in items) <= 30 for items in draws)
    slugs = [
        item.name
        for seed in range(40)
        for item in draw(catalogue, preferences, PracticeHistory(), seed)
        if item.kind == "challenge"
    ]
    easy = sum(slug == "add-one" or int(slug[4:]) % 2 == 0 for slug in slugs)
    assert easy > 0.9 * len(slugs), "a junior is asked easy things"
    done = {slug: True for slug in ("add-one", *(f"add-{number}" for number in range(0, 12, 2))) if slug != "add-4"}
    first = [
        next(
            item.name for item in draw(catalogue, preferences, PracticeHistory(done), seed) if item.kind == "challenge"
        )
        for seed in range(40)
    ]
    assert first.count("add-4") > 20, "what was solved lately is drawn seldom"


async def test_focus_is_kept_and_may_hold_nothing(service: Service) -> None:
    person = await service.person()
    nothing = await person.http.post("/api/interviews", json={**HALF_AN_HOUR, "sections": ["elsewhere"]})
    assert (nothing.status_code, nothing.json()["code"]) == (422, "nothing_to_ask")
    unknown = await person.http.post("/api/interviews", json={**HALF_AN_HOUR, "track": "none"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "track_not_found")
    interview = await begun(person.http, track="first-steps", draw=7)
    assert (interview["track"], interview["draw"], len(interview["items"])) == ("first-steps", 7, 3)


async def test_an_item_that_left_the_catalogue_says_so(service: Service, home: Path) -> None:
    person = await service.person()
    interview = await begun(person.http)
    write_topic(home / "challenges", quiz=SHORT.replace("How much is", "How many are"))
    service.state.store.reload()
    after = await told(person.http, interview)
    assert [item["gone"] for item in after["items"]] == [True, True, False]


async def test_interviews_of_a_day_are_limited(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.practice.mock_interviews.service.INTERVIEWS_A_DAY", 1)
    person = await service.person()
    interview = await begun(person.http)
    await person.http.post(f"/api/interviews/{interview['id']}/finish")
    refused = await person.http.post("/api/interviews", json=HALF_AN_HOUR)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")


async def test_a_guest_keeps_his_interview_when_he_signs_up(service: Service) -> None:
    guest = service.client()
    await guest.post("/api/guest")
    interview = await begun(guest)
    await answered(guest, interview["items"][0], RIGHT[interview["items"][0]["question"]["id"]])
    assert (await guest.post("/api/accounts", json=ADA)).status_code == 201
    assert (await told(guest, interview))["items"][0]["state"] == "right"
    async with service.state.db.read() as session:
        assert len(list(await session.scalars(select(Interview)))) == 1


async def test_lists_come_in_pages(service: Service) -> None:
    person = await service.person()
    made = []
    for _ in range(3):
        interview = await begun(person.http)
        made.append(interview["id"])
        await person.http.post(f"/api/interviews/{interview['id']}/finish")
    first = (await person.http.get("/api/interviews", params={"limit": 2})).json()
    rest = (await person.http.get("/api/interviews", params={"cursor": first["next_cursor"]})).json()
    assert [each["id"] for each in (*first["items"], *rest["items"])] == made[::-1]
    assert rest["next_cursor"] is None
