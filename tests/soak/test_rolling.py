"""Tests an upgrade under load, as the runbook describes it. Each process of the service is restarted, then each node."""

import threading
import uuid
from collections import Counter

import httpx
import pytest

from tests.live import Candidate
from tests.soak.cluster.stage import cluster
from tests.soak.cluster.told import SLUG, told
from tests.soak.stage import READY_S

pytestmark = pytest.mark.engine
PEOPLE = 3
PAUSE_S = 0.2


class Person:
    """A client that sends answers one after the other. It repeats each request until the service accepts it, and records
    the verdict that the answer should get.
    """

    def __init__(self, candidate: Candidate, seed: int, stop: threading.Event) -> None:
        self.candidate, self._answers, self._stop = candidate, told(seed), stop
        self.verdicts: dict[str, str] = {}
        self.thread = threading.Thread(target=self._send)
        self.thread.start()

    def _send(self) -> None:
        while not self._stop.wait(PAUSE_S):
            answer = next(self._answers)
            body = {"slug": SLUG, "source": answer.source, "kind": "submit"}
            self.verdicts[self._taken_in(body)] = answer.verdict

    def _taken_in(self, body: dict[str, str]) -> str:
        key = {"Idempotency-Key": uuid.uuid4().hex}
        while True:
            try:
                answer = self.candidate.http.post("/api/submissions", json=body, headers=key)
            except httpx.TransportError:
                continue
            if answer.is_success:
                return str(answer.json()["id"])
            assert answer.status_code in (429, 503), answer.text
            self._stop.wait(PAUSE_S)


def test_an_upgrade_under_load_loses_nothing_and_judges_nothing_twice() -> None:
    stop = threading.Event()
    with cluster(instant=True) as site:
        people = [Person(site.candidate(), seed, stop) for seed in range(PEOPLE)]
        try:
            for number, api in enumerate(site.apis):
                api.stop()
                site.start_api(number)
                site.wait_until_ready(READY_S)
            for node in site.nodes:
                node.stop()
                node.start()
                site.wait_until_ready(READY_S)
        finally:
            stop.set()
            for person in people:
                person.thread.join()
        expected = {name: verdict for person in people for name, verdict in person.verdicts.items()}
        got = {name: person.candidate.judged(name)["verdict"] for person in people for name in person.verdicts}
        with site.database() as database:
            judgings = Counter(row[0] for row in database.execute("SELECT submission_id FROM judging"))
            decided = Counter(row[0] for row in database.execute("SELECT judging FROM soak_step WHERE applied <> ''"))
        for person in people:
            person.candidate.http.close()
    assert len(expected) > PEOPLE
    assert got == expected
    assert set(judgings.values()) == {1}
    assert set(judgings) == set(expected)
    assert set(decided.values()) == {1}
