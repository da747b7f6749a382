"""Tests runs on an account's own input over HTTP: which challenges offer them, who may send them, how many, and what a node
gets. What the candidate learns is tested with real cells in tests/grader/judging/test_own_input.py.
"""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from api.judging.intake import intake
from api.kit.db.database import now
from api.practice.own_inputs import service as own_inputs
from grader.content.own_input import offer
from grader.contract import transport
from grader.contract.job import Exhibit, Verdict
from grader.contract.job import TestResult as Ended
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import SOURCE, Person, Service, running, settings_in
from tests.api.scripted_node import judgement_of

pytestmark = pytest.mark.anyio
OFFER = "/api/challenges/add-one/own-input"
RUN = "/api/challenges/add-one/own-inputs"
TEXT = "int: matches the reference, largest difference 0."


async def run(person: Person, text: str = "add_one(2)", path: str = RUN, **headers: str) -> Any:
    return await person.http.post(path, json={"source": SOURCE, "input": text}, headers=headers)


def compared(verdict: Verdict = Verdict.AC) -> Ended:
    """Return the result of a comparison as a node reports it."""
    exhibit = Exhibit(TEXT, "comparison", {"matches": verdict is Verdict.AC})
    test = offer.TEST
    return Ended(test.id, test.title, 0, True, False, verdict, 0.01, stdout="printed", exhibits=(exhibit,))


async def test_offer_has_an_example_from_the_sample_test_and_no_hidden_one(service: Service) -> None:
    offered = await service.client().get(OFFER)
    assert offered.json() == {
        "examples": [{"name": "add_one", "input": "add_one(0)\n"}],
        "per_hour": 10,
        "left": 10,
        "next_at": None,
    }


async def test_own_input_is_judged_and_says_what_was_found(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = (await run(ada, "x = 1\nadd_one(x)")).json()
    assert (sent["kind"], sent["status"]) == ("compare", "queued")
    await node.ready()
    job = await node.take()
    assert (job.kind, job.source, job.snippet) == ("compare", SOURCE, "x = 1\nadd_one(x)")
    await node.say(transport.Judged(judgement_of(job, tests=(compared(),), score=0, max_score=0)))
    told = await ada.until(sent["id"], "judged")
    (test,) = told["tests"]
    assert (told["verdict"], test["stdout"], test["exhibits"][0]["title"]) == ("AC", "printed", TEXT)
    way = (await ada.http.get("/api/challenges/add-one/way")).json()
    assert (way["solved_at"], way["open"]) == (None, False), "it solves nothing and opens no editorial"
    assert (await ada.http.get(f"/api/submissions/{sent['id']}/source")).json()["snippet"] == "x = 1\nadd_one(x)"


async def test_result_that_reports_other_tests_is_not_accepted(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    await run(ada)
    await node.ready()
    job = await node.take()
    await node.say(transport.Judged(judgement_of(job)))
    await node.ready()
    again = await node.take()
    assert again.id == job.id, "a judgement of the sample tests is no result of a comparison, so it is judged again"


async def test_ten_an_hour_for_each_challenge_and_account(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", "add-two")
    async with running(settings_in(home, unfinished_per_account=100)) as service:
        ada, bob = await service.person("ada"), await service.person("bob")
        for number in range(10):
            assert (await run(ada, f"add_one({number})")).status_code == 201
            assert (await ada.http.get(OFFER)).json()["left"] == 9 - number
        offer = (await ada.http.get(OFFER)).json()
        assert now() + timedelta(minutes=59) < datetime.fromisoformat(offer["next_at"]) <= now() + timedelta(hours=1)
        refused = await run(ada, "add_one(10)")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        assert 3500 <= int(refused.headers["retry-after"]) <= 3600
        assert "10 inputs of your own" in refused.json()["message"]
        assert " UTC" in refused.json()["message"]
        assert (await run(ada, path="/api/challenges/add-two/own-inputs")).status_code == 201
        assert (await run(bob)).status_code == 201
        assert (await ada.send(kind="run"))["status"] == "queued"
        assert (await ada.send())["status"] == "queued"
        for module in (intake, own_inputs):
            monkeypatch.setattr(module, "now", lambda: now() + timedelta(hours=1))
        assert (await ada.http.get(OFFER)).json()["left"] == 10
        assert (await run(ada, "add_one(10)")).status_code == 201, "an hour later"


async def test_sent_twice_is_one_and_counts_once(service: Service) -> None:
    ada = await service.person()
    first, second = [await run(ada, **{"Idempotency-Key": "abc"}) for _ in range(2)]
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    assert (await run(ada)).json()["id"] == first.json()["id"], "the same input, which is still queued"
    assert (await ada.http.get(OFFER)).json()["left"] == 9


async def test_guest_needs_an_account(service: Service) -> None:
    guest = service.client()
    await guest.post("/api/guest")
    refused = await guest.post(RUN, json={"source": SOURCE, "input": "add_one(1)"})
    assert (refused.status_code, refused.json()["code"]) == (403, "account_required")
    assert (await guest.get(OFFER)).status_code == 200


async def test_challenge_without_a_fitting_function_offers_none(home: Path) -> None:
    folder = write_challenge(home / "challenges")
    tests = folder / "tests.py"
    tests.write_text(tests.read_text().replace("solution.add_one(0)", "solution.add_one(lambda: 0)"))
    async with running(settings_in(home)) as service:
        ada = await service.person()
        assert (await ada.http.get(OFFER)).json()["examples"] == []
        assert (await ada.http.get("/api/challenges/add-one")).json()["own_input"] is False
        refused = await run(ada)
        assert (refused.status_code, refused.json()["code"]) == (422, "no_own_input")


@pytest.mark.parametrize("text", ["", "x" * (offer.MAX_INPUT + 1), "add_one('\x00')"])
async def test_input_that_is_no_text_of_a_few_lines_is_refused(service: Service, text: str) -> None:
    assert (await run(await service.person(), text)).status_code == 422
