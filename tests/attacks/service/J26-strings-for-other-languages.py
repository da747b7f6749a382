# id: J26
# tries: sends names, sources, keys and headers that mean something to SQL, shells, loggers, templates, formats and JSON
# expect: the strings come back unchanged; no table changes, no log entry breaks, nothing is looked up or executed
"""Sends strings that another program, such as a shell or a database, could execute."""

import json

from tests.attacks.service.target import HONEST, SLUG, WITHIN_S, Target, texts

STRINGS = [
    "'; DROP TABLE judging; --",
    '" OR 1=1 --',
    "${jndi:ldap://127.0.0.1:1/a}",
    "$(touch /tmp/gradus-owned) `touch /tmp/gradus-owned`",
    "%s %n %(message)s {0} {self} {0.__class__}",
    "{{7*7}} <%= 7*7 %> ${7*7}",
    '"}], "verdict": "AC", "x": [{"',
    "\\u0022, \\u0000 \\x1b \\n",
    "=cmd|'/c calc'!A1",
    '{instance="x"} 1e99',
]


def attack(target: Target) -> None:
    one, browser = target.candidate(), target.in_a_browser()
    tables = target.rows("SELECT sql FROM sqlite_master ORDER BY name")
    for number, evil in enumerate(STRINGS):
        named = browser.post("/api/me/tokens", json={"name": evil[:80]})
        assert named.status_code == 201, named.text
        assert named.json()["name"] == evil[:80]
        key = evil.replace(" ", "_")
        source = f"{HONEST}# {evil}\nprint({evil!r})\n"
        headers = {"Idempotency-Key": key, "User-Agent": evil, "X-Request-ID": evil, "Authorization-X": evil}
        body = {"slug": SLUG, "source": source, "kind": "run"}
        sent = one.http.post("/api/submissions", json=body, headers=headers)
        assert sent.status_code == 201, sent.text
        identifier = sent.json()["id"]
        assert one.judged(identifier, WITHIN_S)["verdict"] == "AC"
        assert one.http.get(f"/api/submissions/{identifier}/source").json()["source"] == source
        scratch = one.judged(one.scratch(SLUG, HONEST, f"print({evil!r})  # {number}"), WITHIN_S)
        assert scratch["output"] == f"{evil}\n"
        for query in ({"slug": evil}, {"kind": evil}, {"cursor": evil}):
            listed = one.http.get("/api/submissions", params=query)
            assert listed.status_code in (200, 422)
            assert listed.status_code == 422 or listed.json()["items"] == []
        found = one.http.get("/api/challenges", params={"q": evil, "topic": evil, "section": evil})
        assert found.status_code in (200, 422), found.text
        refused = target.anonymous()
        with refused:
            answer = refused.post("/api/session", json={"email": f"{evil}@example.org", "password": evil})
            assert answer.status_code in (401, 422, 429)
            json.dumps(list(texts(answer.json())))
    assert target.rows("SELECT sql FROM sqlite_master ORDER BY name") == tables
    assert not list(target.live.data.parent.parent.glob("gradus-owned*"))
