# id: M1
# tries: sends submissions as fast as it can from one account, then fills the queue from many accounts
# expect: 429 with Retry-After at eight unfinished answers, thirty a minute or a full queue; none is lost; others are judged
"""Floods the service with submissions, first from one account, then from many at the same time."""

import time

import httpx

from tests.attacks.service.target import HONEST, SLUG, Target
from tests.live import Candidate

SLOW = "import time\ntime.sleep(2.5)\n" + HONEST
UNFINISHED, A_MINUTE, QUEUE = 8, 30, 40
# This many slow answers may end before the honest verdict is read. When the honest answer arrives, both slots are judging a
# slow answer, and each slot takes at most one more.
MOST_BEFORE = 5


def attack(target: Target) -> None:
    _of_one(target)
    _of_many(target)


def _send(one: Candidate, source: str) -> httpx.Response:
    return one.http.post("/api/submissions", json={"slug": SLUG, "source": source, "kind": "submit"})


def _of_one(target: Target) -> None:
    flood = target.candidate()
    answers = [_send(flood, f"{SLOW}# {number}\n") for number in range(25)]
    taken = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(taken) + len(refused) == len(answers)
    assert len(taken) <= UNFINISHED + 1
    assert all(int(answer.headers["Retry-After"]) >= 1 for answer in refused)
    assert {answer.json()["code"] for answer in refused} == {"too_many_requests"}
    # The honest answer must be judged after the two that are being judged and before the rest of the flood. This checks the
    # order, which does not depend on the machine's load.
    target.honest_is_accepted()
    assert target.rows("SELECT count(*) FROM judging WHERE status = 'queued'")[0][0] >= UNFINISHED - MOST_BEFORE, (
        "the honest answer waited for most of the flood"
    )
    _cancel(flood, taken)
    for number in range(A_MINUTE):
        if _send(flood, f"{SLOW}# again {number}\n").status_code == 429:
            break
        _cancel(flood, [flood.http.get("/api/submissions").json()["items"][0]["id"]])
    last = _send(flood, SLOW)
    assert last.status_code == 429
    assert "a minute" in last.json()["message"]
    assert 1 <= int(last.headers["Retry-After"]) <= 60


def _of_many(target: Target) -> None:
    people = [target.candidate() for _ in range(QUEUE // UNFINISHED + 2)]
    taken: list[tuple[Candidate, str]] = []
    full = None
    for number in range(UNFINISHED):
        for one in people:
            answer = _send(one, f"{SLOW}# {number}\n")
            if answer.status_code == 201:
                taken.append((one, answer.json()["id"]))
            elif "queue is full" in answer.text:
                full = answer
    assert full is not None
    assert full.status_code == 429
    assert int(full.headers["Retry-After"]) >= 1
    assert target.rows("SELECT count(*) FROM judging WHERE status = 'queued'")[0][0] <= QUEUE
    started = time.monotonic()
    assert target.neighbour.http.get("/api/queue").json()["queued"] <= QUEUE
    assert time.monotonic() - started < 2.0
    for one in people:
        _cancel(one, [identifier for owner, identifier in taken if owner is one])
    assert {one.get(identifier)["status"] for one, identifier in taken} <= {"judged", "cancelled"}


def _cancel(one: Candidate, identifiers: list[str]) -> None:
    for identifier in identifiers:
        assert one.http.post(f"/api/submissions/{identifier}/cancel").status_code in (200, 409)
