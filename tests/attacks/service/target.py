"""The service under attack: real HTTP, SQL, node and Docker cells, and what must hold of it whatever was tried."""

import contextlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.live import Candidate, Live, launch

SLUG = "attention"
PACKAGE = Path(__file__).resolve().parents[1] / "package" / "hostile" / SLUG
HONEST = (PACKAGE / "submissions" / "accepted" / "a-plain.py").read_text(encoding="utf-8")
WRONG = "import torch\n\n\ndef attention(q, k, v):\n    return torch.zeros(*q.shape[:-1], v.shape[-1])\n"
WITHIN_S = 60.0
READY_S = 240.0
BROKEN = ("request_failed", "loop_failed")
SHOWABLE = {"\n", "\t"}
LETTER = re.compile(r"\n--- email to [^\n]+ ---\n.*?\n--- end of email ---\n\n", re.DOTALL)


@dataclass
class Target:
    """A live service, people on it, and the doors that only an operator has: the log, the database, the node's socket."""

    live: Live
    image: str
    admin: Candidate
    neighbour: Candidate
    excused: set[str] = field(default_factory=set)
    """Submissions that are right to end with JE: they were made to kill what judges them."""
    _people: list[Candidate] = field(default_factory=list)
    _browsers: list[httpx.Client] = field(default_factory=list)

    @property
    def socket(self) -> Path:
        """The socket on which nodes connect."""
        return self.live.data / "run" / "node.sock"

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.live.data / "gradus.db"

    def candidate(self) -> Candidate:
        """A new account with an API token."""
        self._people.append(Candidate(self.live.url))
        return self._people[-1]

    def in_a_browser(self) -> httpx.Client:
        """A new account that has signed in with its password: tokens may not do everything."""
        number = len(self._browsers)
        client = self.anonymous()
        self._browsers.append(client)
        body = {"email": f"browser{number}-{os.urandom(4).hex()}@example.org", "name": "B", "password": "a long one 1"}
        answer = client.post("/api/accounts", json=body)
        assert answer.status_code == 201, answer.text
        return client

    def part(self) -> None:
        """Close all clients that an attack has created."""
        while self._people:
            self._people.pop().http.close()
        while self._browsers:
            self._browsers.pop().close()

    def anonymous(self, **more: Any) -> httpx.Client:
        """A client without an account."""
        return httpx.Client(base_url=self.live.url, timeout=20.0, **more)

    def rows(self, query: str, *values: object) -> list[Any]:
        """What an operator reads in the database."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=10.0)) as connection:
            return connection.execute(query, values).fetchall()

    def change(self, query: str, *values: object) -> None:
        """Write to the database from another process, as a stolen or stale writer would."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=10.0)) as connection, connection:
            connection.execute(query, values)

    def log(self, since: int = 0) -> list[dict[str, Any]]:
        """The log's entries from a place on. A line that is not an entry fails: it was forged, or something broke.

        Letters, which the console shows whole while no SMTP server is set, are no entries.
        """
        entries = []
        for line in LETTER.sub("", self.live.log.read_bytes()[since:].decode()).splitlines():
            entry = json.loads(line)
            assert isinstance(entry, dict), line
            assert {"event", "level", "timestamp"} <= entry.keys(), line
            entries.append(entry)
        return entries

    def log_end(self) -> int:
        """The place in the log to read from later."""
        return self.live.log.stat().st_size

    def judged(self, candidate: Candidate, source: str, **more: str) -> dict[str, Any]:
        """Submit and wait for the end."""
        return candidate.judged(candidate.submit(more.pop("slug", SLUG), source, **more), WITHIN_S)

    def honest_is_accepted(self, within_s: float = WITHIN_S) -> float:
        """Another account's right answer is accepted in time; the seconds it took."""
        started = time.monotonic()
        identifier = self.neighbour.submit(SLUG, HONEST)
        found = self.neighbour.judged(identifier, within_s)
        assert found["verdict"] == "AC", found
        return time.monotonic() - started

    def until(self, holds: Any, what: str, within_s: float = WITHIN_S) -> None:
        """Wait until `holds()`; AssertionError with `what` when it never does."""
        until = time.monotonic() + within_s
        while not holds():
            assert time.monotonic() < until, f"{what}: not within {within_s:.0f} s"
            time.sleep(0.05)

    def check(self, since: int) -> None:
        """What must hold after every attack; `since` is where the log stood before it."""
        assert self.live.process.poll() is None, "the service has ended"
        self.honest_is_accepted()
        unfinished = "SELECT count(*) FROM judging WHERE status IN ('queued', 'judging')"
        self.until(lambda: self.rows(unfinished) == [(0,)], "everything in the queue has ended")
        errors = {row[0] for row in self.rows("SELECT submission_id FROM judging WHERE verdict = 'JE'")}
        assert errors <= self.excused, "a judge error that nobody expected"
        current = "SELECT count(*) FROM judging WHERE NOT superseded GROUP BY submission_id"
        assert {row[0] for row in self.rows(current)} == {1}
        without = "SELECT id FROM submission WHERE id NOT IN (SELECT submission_id FROM judging)"
        assert self.rows(without) == []
        for entry in self.log(since):
            assert "exception" not in entry, entry
            assert entry["event"] not in BROKEN, entry
            status = entry.get("status")  # of an answer; other entries use the word otherwise
            assert not isinstance(status, int) or status < 500 or entry.get("path") == "/api/ready", entry


@contextlib.contextmanager
def a_target(image: str, challenges: Path | None = None, **settings: str) -> Iterator[Target]:
    """A service with an admin and a neighbour; its data lie where only its own modes protect them."""
    data = Path(tempfile.mkdtemp(prefix="gradus-target-"))
    data.chmod(0o755)
    try:
        if challenges is None:
            challenges = data / "challenges"
            patient_copy(challenges)
        given: dict[str, Any] = {"node_slots": "2", "node_image": image, "registrations_per_hour": "1000", **settings}
        live = launch(data / "var", challenges=challenges, **given)
        try:
            live.wait_until_ready(READY_S)
            admin, neighbour = _admin(live), Candidate(live.url)
            with contextlib.closing(admin.http), contextlib.closing(neighbour.http):
                made = Target(live, image, admin, neighbour)
                try:
                    yield made
                finally:
                    made.part()
        finally:
            live.stop()
    finally:
        shutil.rmtree(data)


def patient_copy(challenges: Path) -> Path:
    """The attacked challenge with limits that a crowded machine does not reach by itself."""
    folder = challenges / "hostile" / SLUG
    shutil.copytree(PACKAGE, folder)
    info = folder / "challenge.toml"
    text, calls = re.subn(r"(?m)^cpu_s_per_call = .*$", "cpu_s_per_call = 2.0", info.read_text(encoding="utf-8"))
    text, judgings = re.subn(r"(?m)^cpu_s = .*$", "cpu_s = 3.0", text)
    assert (calls, judgings) == (1, 1), "the attacked challenge names its limits in another way now"
    info.write_text(text, encoding="utf-8")
    return folder


def _admin(live: Live) -> Candidate:
    one = Candidate(live.url)
    email = one.http.get("/api/me").json()["email"]
    password = os.urandom(12).hex()
    email = f"admin-{email}"
    body = {"token": live.setup_token(), "email": email, "name": "Admin", "password": password}
    answer = httpx.post(f"{live.url}/api/setup", json=body, timeout=20.0)
    assert answer.status_code == 201, answer.text
    made = httpx.post(f"{live.url}/api/me/tokens", json={"name": "admin"}, cookies=answer.cookies, timeout=20.0)
    one.http.headers["Authorization"] = f"Bearer {made.json()['token']}"
    return one


def texts(value: object) -> Iterator[str]:
    """Every string in an answer, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield str(name)
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def everything_told(candidate: Candidate, identifier: str) -> list[object]:
    """All that the service says about a submission: its page, its events, its card."""
    cards = candidate.http.get("/api/submissions").json()["items"]
    return [candidate.get(identifier), [data for _, data in candidate.events(identifier)], cards]


def unshowable(text: str) -> set[str]:
    """Control characters in a text, besides newline and tab."""
    return {character for character in text if (ord(character) < 32 or 127 <= ord(character) < 160)} - SHOWABLE
