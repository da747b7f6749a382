# id: M5
# tries: submits to unknown and malformed challenges; reads, follows, cancels and rejudges somebody else's submission
# expect: refused, and the response does not reveal whether the submission exists
"""Asks for challenges and submissions that do not exist or belong to somebody else."""

from tests.attacks.service.target import HONEST, SLUG, Target

SLUGS = [
    "no-such-challenge",
    "../attention",
    "hostile/attention",
    "attention\0",
    "ATTENTION",
    "attention ",
    "",
    "x" * 101,
]
NOBODY = "0" * 32


def attack(target: Target) -> None:
    owner, thief = target.candidate(), target.candidate()
    for slug in SLUGS:
        answer = thief.http.post("/api/submissions", json={"slug": slug, "source": HONEST, "kind": "submit"})
        assert answer.status_code in (404, 422), (slug, answer.text)
    device = {"slug": SLUG, "source": HONEST, "kind": "submit", "device": "cuda"}
    assert thief.http.post("/api/submissions", json=device).status_code == 422
    identifier = owner.submit(SLUG, HONEST)
    owner.judged(identifier)
    with target.anonymous() as nobody:
        for path in ("", "/source", "/events"):
            theirs = thief.http.get(f"/api/submissions/{identifier}{path}")
            missing = thief.http.get(f"/api/submissions/{NOBODY}{path}")
            assert (theirs.status_code, theirs.json()) == (404, missing.json())
            assert nobody.get(f"/api/submissions/{identifier}{path}").status_code == 401
        for path, status in (("/cancel", 404), ("/rejudge", 403)):
            theirs = thief.http.post(f"/api/submissions/{identifier}{path}")
            missing = thief.http.post(f"/api/submissions/{NOBODY}{path}")
            assert (theirs.status_code, theirs.json()) == (status, missing.json())
            assert nobody.post(f"/api/submissions/{identifier}{path}").status_code == 401
        assert nobody.get("/api/admin/nodes").status_code == 401
    assert thief.http.get("/api/admin/nodes").status_code == 403
    assert identifier not in thief.http.get("/api/submissions", params={"slug": SLUG}).text
    assert owner.get(identifier)["verdict"] == "AC"
    assert target.rows("SELECT count(*) FROM judging WHERE submission_id = ?", identifier) == [(1,)]
