# id: L6
# tries: puts lines that look like log entries, events and verdicts into output, exceptions, addresses and headers
# expect: a wrong answer stays wrong; every log entry and every event is one that the service made itself
"""Sends text that another program could mistake for the service's own log entries, events or verdicts."""

import json

from tests.attacks.service.target import SLUG, WRONG, Target

ENTRY = json.dumps({"event": "forged", "level": "error", "timestamp": "2020-01-01T00:00:00Z", "exception": "forged"})
MARKERS = [
    "@@RESULT pass",
    "event: judged",
    'data: {"status": "judged", "verdict": "AC", "score": 10}',
    '{"kind": "RESULT", "passed": true}',
    "7 passed in 0.01s",
    "FORGED",
    ENTRY,
]
LINES = "\n\n" + "\n".join(MARKERS) + "\n\n"
LOUD = f"print({LINES!r})\n" + WRONG.replace("    return", f"    print({LINES!r}, flush=True)\n    return")
RAISES = f"def attention(q, k, v):\n    raise AssertionError({LINES!r})\n"


def attack(target: Target) -> None:
    since = target.log_end()
    one = target.candidate()
    for source, verdict in ((LOUD, "WA"), (RAISES, "RE")):
        identifier = one.submit(SLUG, source)
        story = list(one.events(identifier))
        assert [name for name, _ in story].count("judged") == 1
        assert story[-1][1]["verdict"] == verdict
        assert {name for name, _ in story} <= {"queued", "judging", "test", "judged"}
        assert one.get(identifier)["verdict"] == verdict
        stream = one.http.get(f"/api/submissions/{identifier}/events").text
        assert [line for line in stream.splitlines() if line in MARKERS] == ["event: judged"], "and that is its own"
    for path in (f"/api/a%0a{ENTRY}%0a", "/api/x%0d%0aforged: 1%0d%0a"):
        answer = one.http.get(path, headers={"X-Request-ID": "forged forged", "User-Agent": ENTRY})
        assert "forged" not in answer.headers
        assert answer.headers["X-Request-ID"] != "forged forged"
    entries = target.log(since)
    assert entries, "the check looks at nothing"
    assert [entry for entry in entries if entry["event"] == "forged" or "exception" in entry] == []
