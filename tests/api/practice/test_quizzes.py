"""Tests how a quiz is answered over HTTP. The right answers stay on the server, an answer counts once, and an invalid form gets
a clear message.
"""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.topic_folders import QUIZ, write_topic

pytestmark = pytest.mark.anyio
SECRETS = ("SECRET-EXPLANATION", "SECRET-REASON", "(3,)", "explanation")


@pytest.fixture
async def service(home: Path) -> Any:
    """The service with one topic."""
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    async with running(settings_in(home)) as service:
        yield service


async def begun(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.post("/api/topics/adding/attempts")
    assert answer.status_code in (200, 201), answer.text
    return dict(answer.json())


async def answered(client: httpx.AsyncClient, attempt: dict[str, Any], question: str, answer: Any) -> httpx.Response:
    body = {"question": question, "answer": answer}
    return await client.post(f"/api/attempts/{attempt['id']}/answers", json=body)


def ids(attempt: dict[str, Any], question: str, part: str = "parts") -> dict[str, str]:
    """Return the ids of the parts of a question, by the text of the part."""
    found = next(each for each in attempt["questions"] if each["id"] == question)
    return {each["text"]: each["id"] for each in found[part]}


def right_answers(attempt: dict[str, Any]) -> dict[str, Any]:
    left, right = ids(attempt, "pairs"), ids(attempt, "pairs", "others")
    step, odd = ids(attempt, "order"), ids(attempt, "pick-all")
    return {
        "pick": [ids(attempt, "pick")["two"]],
        "pick-all": [odd["three!"], odd["one"]],
        "pairs": {left["A"]: right["a"], left["B"]: right["b"]},
        "order": [step["one"], step["two"], step["three"]],
        "how-much": 2,
        "shape": "torch.Size([3])",
    }


async def test_whole_quiz_from_first_question_to_score(service: Service) -> None:
    person = await service.person()
    attempt = await begun(person.http)
    assert (attempt["points"], attempt["max_points"], attempt["ended_at"]) == (0, 7, None)
    for question, answer in right_answers(attempt).items():
        mark = await answered(person.http, attempt, question, answer)
        assert mark.status_code == 201, mark.text
        assert (mark.json()["right"], mark.json()["reasons"]) == (True, []), question
    after = (await person.http.get(f"/api/attempts/{attempt['id']}")).json()
    assert (after["points"], after["ended_at"] is None) == (7, False)
    assert all(question["mark"]["right"] for question in after["questions"])
    listed = (await person.http.get("/api/attempts", params={"topic": "adding"})).json()["items"]
    assert [(each["id"], each["points"]) for each in listed] == [(attempt["id"], 7)]
    again = await begun(person.http)
    assert again["id"] != attempt["id"], "the first attempt has ended, so another one is begun"


async def test_keys_stay_on_the_server_until_there_is_an_answer(service: Service) -> None:
    person = await service.person()
    answer = await person.http.post("/api/topics/adding/attempts")
    attempt = answer.json()
    told = answer.text.replace('"explanation":null', "")
    assert not [secret for secret in SECRETS if secret in told]
    assert {each["id"]: each["mark"] for each in attempt["questions"]} == dict.fromkeys(right_answers(attempt))
    mark = (await answered(person.http, attempt, "pick", [ids(attempt, "pick")["three"]])).json()
    assert (mark["right"], mark["points"], mark["reasons"]) == (False, 0, ["SECRET-REASON: three is odd"])
    assert mark["key"] == [ids(attempt, "pick")["two"]]
    assert mark["explanation"].startswith("SECRET-EXPLANATION")


async def test_wrong_answers_say_what_was_missed(service: Service) -> None:
    person = await service.person()
    attempt = await begun(person.http)
    odd, step = ids(attempt, "pick-all"), ids(attempt, "order")
    left, right = ids(attempt, "pairs"), ids(attempt, "pairs", "others")
    wrong = {
        "pick-all": ([odd["one"], odd["four"]], ["four is even", "Also right: three!"]),
        "order": ([step["one"], step["three"], step["two"]], ["Right up to step 1."]),
        "pairs": ({left["A"]: right["c"], left["B"]: right["b"]}, ["A belongs elsewhere."]),
        "how-much": ("11", ["These are numbers, not digits"]),
        "shape": ("(2,)", ["That is the other one"]),
    }
    for question, (answer, reasons) in wrong.items():
        mark = (await answered(person.http, attempt, question, answer)).json()
        assert (mark["right"], mark["reasons"]) == (False, reasons)


async def test_answer_counts_once_and_the_same_one_may_be_sent_twice(service: Service) -> None:
    person = await service.person()
    attempt = await begun(person.http)
    first = await answered(person.http, attempt, "how-much", 3)
    assert (await answered(person.http, attempt, "how-much", 3)).json() == first.json()
    refused = await answered(person.http, attempt, "how-much", 2)
    assert (refused.status_code, refused.json()["code"]) == (409, "already_answered")
    resumed = await person.http.post("/api/topics/adding/attempts")
    assert (resumed.status_code, resumed.json()["id"]) == (200, attempt["id"])
    assert resumed.json()["points"] == 0


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("pick", "two", "as a list"),
        ("pick", [], "exactly one"),
        ("pick", ["nonsense"], "no such options"),
        ("pick-all", [], "at least one"),
        ("pairs", {}, "every left side"),
        ("pairs", [], "every left side"),
        ("order", [], "all 3 steps"),
        ("how-much", "two", "Send a number"),
        ("how-much", [], "Send a number"),
        ("shape", 3, "as text"),
        ("shape", "three", "sizes in parentheses"),
        ("shape", "", "empty"),
        ("shape", "(1" * 900, "longer than"),
    ],
)
async def test_answer_of_another_form_gets_a_sentence(service: Service, question: str, answer: Any, told: str) -> None:
    person = await service.person()
    attempt = await begun(person.http)
    refused = await answered(person.http, attempt, question, answer)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_answer"), refused.text
    assert told in refused.json()["message"]
    assert (await person.http.get(f"/api/attempts/{attempt['id']}")).json()["questions"][0]["mark"] is None


@pytest.mark.parametrize("answer", [True, None, [[1]], {"a": {}}, ["x"] * 21, "x" * 2001, {"a": 1}])
async def test_answer_of_no_form_at_all_is_invalid_input(service: Service, answer: Any) -> None:
    person = await service.person()
    refused = await answered(person.http, await begun(person.http), "how-much", answer)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input")


async def test_unknown_questions_attempts_and_quizzes_are_404(service: Service, home: Path) -> None:
    person = await service.person()
    attempt = await begun(person.http)
    assert (await answered(person.http, attempt, "none", 1)).json()["code"] == "question_not_found"
    assert (await answered(person.http, {"id": "0" * 32}, "pick", 1)).json()["code"] == "attempt_not_found"
    write_topic(home / "challenges", "quiet", quiz="")
    service.state.store.reload()
    assert (await person.http.post("/api/topics/quiet/attempts")).json()["code"] == "no_quiz"


async def test_changed_quiz_is_looked_at_but_not_answered(service: Service, home: Path) -> None:
    person = await service.person()
    attempt = await begun(person.http)
    write_topic(home / "challenges", quiz=QUIZ.replace("Which is even?", "Which one is even?"))
    service.state.store.reload()
    refused = await answered(person.http, attempt, "how-much", 2)
    assert (refused.status_code, refused.json()["code"]) == (409, "quiz_changed")
    seen = (await person.http.get(f"/api/attempts/{attempt['id']}")).json()
    assert (seen["current"], seen["questions"]) == (False, [])
    assert (await begun(person.http))["id"] != attempt["id"]


async def test_each_attempt_has_an_order_of_its_own_that_stays(service: Service) -> None:
    orders = set()
    for number in range(12):
        person = await service.person(f"person-{number}")
        attempt = await begun(person.http)
        assert (await begun(person.http))["questions"] == attempt["questions"]
        orders.add(tuple(ids(attempt, "pick")))
    assert len(orders) > 1


async def test_attempts_are_limited_by_the_hour(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.practice.quizzes.service.ATTEMPTS_AN_HOUR", 1)
    person = await service.person()
    attempt = await begun(person.http)
    for question, answer in right_answers(attempt).items():
        await answered(person.http, attempt, question, answer)
    refused = await person.http.post("/api/topics/adding/attempts")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert int(refused.headers["Retry-After"]) > 3000
