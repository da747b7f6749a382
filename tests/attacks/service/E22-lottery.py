# id: E22
# tries: submits an answer that guesses and is right in one of sixteen calls, again and again
# expect: not accepted: all tests must pass in one judging; the same key returns the same verdict; a rejudge uses the same seed
"""Submits an answer that guesses, again and again, in the hope that it is accepted by luck."""

from tests.attacks.service.target import HONEST, SLUG, Target

GUESS = (
    HONEST
    + """

import os
_right = attention

def attention(q, k, v):
    result = _right(q, k, v)
    return result if os.urandom(1)[0] % 16 == 0 else result * 1.5
"""
)
TICKETS = 12


def attack(target: Target) -> None:
    one = target.candidate()
    verdicts = []
    for number in range(TICKETS):
        verdicts.append(target.judged(one, f"{GUESS}# ticket {number}\n")["verdict"])
    assert "AC" not in verdicts
    key = {"Idempotency-Key": "the-same-ticket"}
    body = {"slug": SLUG, "source": GUESS, "kind": "submit"}
    first = one.http.post("/api/submissions", json=body, headers=key).json()["id"]
    told = one.judged(first)
    for _ in range(5):
        again = one.http.post("/api/submissions", json=body, headers=key)
        assert again.status_code == 200
        assert (again.json()["id"], again.json()["verdict"], again.json()["judging"]) == (first, told["verdict"], 1)
    assert target.admin.http.post(f"/api/submissions/{first}/rejudge").status_code == 202
    one.judged(first)
    seeds = target.rows("SELECT json_extract(judgement, '$.seed') FROM judging WHERE submission_id = ?", first)
    assert len(seeds) == 2
    assert len(set(seeds)) == 1
