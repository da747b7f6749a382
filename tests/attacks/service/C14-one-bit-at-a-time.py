# id: C14
# tries: leaks bits of hidden inputs through exception types, exception texts and output, in many submissions
# expect: candidates see only verdict, the test author's text or exception type, and a line of the answer; submissions are limited
"""Tries to learn hidden inputs from many submissions, each of which leaks a little."""

from tests.attacks.service.target import SLUG, Target

SOURCE = """
import hashlib
import torch

KINDS = [ValueError, TypeError, IndexError, KeyError]

def attention(q, k, v):
    secret = f"{q.flatten().tolist()}"
    print("LEAK", secret)
    bits = int(hashlib.sha256(secret.encode()).hexdigest(), 16)
    error = type("Leak%x" % (bits % 2**64), (KINDS[bits % 4],), {})
    raise error("LEAK " + secret) from ValueError("LEAK " + secret)
"""
MOST_A_MINUTE = 30


def attack(target: Target) -> None:
    one = target.candidate()
    seeds = set()
    for number in range(8):
        identifier = one.submit(SLUG, f"{SOURCE}# {number}\n")
        found = one.judged(identifier)
        assert found["verdict"] == "RE"
        events = [data["test"] for name, data in one.events(identifier) if name == "test"]
        for test in [*found["tests"], *events]:
            if test["sample"]:
                assert "LEAK" in test["message"], "the check looks at nothing"
                continue
            assert "LEAK" not in str(test).upper(), test
            assert test["stdout"] == ""
            assert test["exhibits"] == []
            assert len(test["message"]) < 300
        assert found["output"] == ""
        assert "seed" not in found
        (seed,) = target.rows(
            "SELECT json_extract(judgement, '$.seed') FROM judging WHERE submission_id = ?", identifier
        )
        seeds.add(seed)
    assert len(seeds) > 1, "every submission saw the same hidden inputs"
    codes = []
    for number in range(MOST_A_MINUTE):
        body = {"slug": SLUG, "source": f"{SOURCE}# more {number}\n", "kind": "submit"}
        answer = one.http.post("/api/submissions", json=body)
        codes.append(answer.status_code)
        if answer.status_code == 201:
            one.http.post(f"/api/submissions/{answer.json()['id']}/cancel")
    assert codes.count(201) <= MOST_A_MINUTE - 8
    assert codes[-1] == 429
