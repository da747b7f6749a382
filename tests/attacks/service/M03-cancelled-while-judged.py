# id: M3
# tries: cancels a submission from three threads at every moment of its judging, while an admin rejudges it
# expect: each submission ends exactly once; every reader sees the same end, and it never changes afterwards
"""Lets a candidate cancel a submission while a node judges it, to provoke races."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

from tests.attacks.service.target import HONEST, SLUG, WITHIN_S, Target
from tests.live import Candidate

ROUNDS = 24
LONGEST_S = 0.25


def attack(target: Target) -> None:
    chance = random.Random(3)
    one = target.candidate()
    ends: dict[str, str] = {}
    with ThreadPoolExecutor(5) as pool:
        for number in range(ROUNDS):
            identifier = one.submit(SLUG, f"{HONEST}# round {number}\n")
            waits = [chance.uniform(0, LONGEST_S) for _ in range(3)]
            cancels = [pool.submit(_cancel, one, identifier, wait) for wait in waits]
            rejudge = pool.submit(_rejudge, target.admin, identifier, chance.uniform(0, LONGEST_S))
            told = pool.submit(_story, one, identifier)
            codes = [cancel.result() for cancel in cancels]
            again = rejudge.result()
            found = one.judged(identifier, WITHIN_S)
            story = told.result()
            assert set(codes) <= {200, 409}
            assert again in (202, 409)
            if again == 409:
                assert story.count("judged") + story.count("cancelled") == 1, story
                assert (found["status"] == "cancelled") == (200 in codes), (codes, found["status"])
                assert story[-1] == found["status"]
            assert found["verdict"] == ("AC" if found["status"] == "judged" else None)
            ends[identifier] = found["status"]
    assert set(ends.values()) == {"judged", "cancelled"}, "one side won every race: the moments are wrong"
    time.sleep(1.0)
    assert {identifier: one.get(identifier)["status"] for identifier in ends} == ends
    several = "SELECT submission_id FROM judging WHERE NOT superseded GROUP BY submission_id HAVING count(*) > 1"
    assert target.rows(several) == []


def _story(one: Candidate, identifier: str) -> list[str]:
    return [name for name, _ in one.events(identifier)]


def _cancel(one: Candidate, identifier: str, wait_s: float) -> int:
    time.sleep(wait_s)
    return one.http.post(f"/api/submissions/{identifier}/cancel").status_code


def _rejudge(admin: Candidate, identifier: str, wait_s: float) -> int:
    time.sleep(wait_s)
    return admin.http.post(f"/api/submissions/{identifier}/rejudge").status_code
