# id: M2
# tries: sends the same request again: with its key, without a key, in parallel, with another answer, by another account
# expect: one key gives one submission and one verdict; another body with the same key is refused; each account has its own keys
"""Sends the same requests again, as a double click does, or as an attempt to get a better verdict."""

from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.attacks.service.target import HONEST, SLUG, WRONG, Target
from tests.live import Candidate

KEY = "a-key-of-mine"


def attack(target: Target) -> None:
    one, other = target.candidate(), target.candidate()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: _send(one, WRONG, KEY), range(16)))
    assert {answer.json()["id"] for answer in answers} == {answers[0].json()["id"]}
    assert sorted(answer.status_code for answer in answers) == [200] * 15 + [201]
    identifier = answers[0].json()["id"]
    assert one.judged(identifier)["verdict"] == "WA"
    again = _send(one, WRONG, KEY)
    assert (again.status_code, again.json()["id"], again.json()["verdict"]) == (200, identifier, "WA")
    changed = _send(one, HONEST, KEY)
    assert (changed.status_code, changed.json()["code"]) == (409, "idempotency_key_reused")
    scratch = one.http.post(
        "/api/scratch", json={"slug": SLUG, "source": WRONG, "snippet": ""}, headers={"Idempotency-Key": KEY}
    )
    assert scratch.status_code == 409
    theirs = _send(other, HONEST, KEY)
    assert theirs.status_code == 201
    assert other.judged(theirs.json()["id"])["verdict"] == "AC"
    assert one.get(identifier)["verdict"] == "WA"
    with ThreadPoolExecutor(8) as pool:
        clicks = list(pool.map(lambda _: _send(one, f"{HONEST}# a double click\n"), range(8)))
    assert len({click.json()["id"] for click in clicks}) == 1
    mine = "SELECT count(*) FROM submission WHERE id IN (SELECT submission_id FROM judging) AND idempotency_key = ?"
    assert target.rows(mine, KEY) == [(2,)]


def _send(one: Candidate, source: str, key: str = "") -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return one.http.post("/api/submissions", json={"slug": SLUG, "source": source, "kind": "submit"}, headers=headers)
