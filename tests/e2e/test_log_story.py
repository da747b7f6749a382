"""Tests that one id identifies a submission in the logs of the service and of its node, from the request to the verdict."""

import json
from pathlib import Path
from typing import Any

from tests.demo import RIGHT, SLUG
from tests.live import Candidate, service

REQUEST = "the-one-request"


def events(log: Path) -> list[dict[str, Any]]:
    """Return the events in the log. The setup notice, which is not JSON, is left out."""
    return [json.loads(line) for line in log.read_text().splitlines() if line.startswith('{"')]


def test_one_id_leads_from_the_request_to_the_verdict(tmp_path: Path) -> None:
    with service(tmp_path, node_slots="1", node_cells="process") as live:
        candidate = Candidate(live.url)
        body = {"slug": SLUG, "kind": "submit", "source": RIGHT}
        answer = candidate.http.post("/api/submissions", json=body, headers={"X-Request-ID": REQUEST})
        assert answer.headers["x-request-id"] == REQUEST
        assert candidate.judged(answer.json()["id"])["verdict"] == "AC"
        candidate.http.close()
    told = events(live.log)
    taken = next(event for event in told if event.get("request_id") == REQUEST and event["event"] == "submission_taken")
    assert taken["submission"] == answer.json()["id"]
    story = [event for event in told if event.get("judging") == taken["judging"]]
    names = [event["event"] for event in story]
    assert sorted(names) == sorted(
        ["submission_taken", "judging_offered", "judging_taken", "judging_left", "judging_ended"]
    )
    assert [event.get("outcome") or event.get("verdict") for event in story if "ed" in event["event"][-2:]]
    left = next(event for event in story if event["event"] == "judging_left")
    ended = next(event for event in story if event["event"] == "judging_ended")
    assert (left["outcome"], ended["verdict"], ended["attempt"], ended["node"]) == ("AC", "AC", 1, "local")
    assert all(event["timestamp"] and event["level"] == "info" for event in story)
    # The log must not contain the submitted source.
    assert "def attention" not in live.log.read_text()
