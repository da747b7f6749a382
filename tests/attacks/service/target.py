"""Runs the service under attack, with real HTTP, SQL, a node and Docker cells, and contains the checks that must pass after
every attack.
"""

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
    """A running service with its users, and what only an operator can access: the log, the database and the node's socket."""

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
        """The Unix socket to which nodes connect."""
        return self.live.data / "run" / "node.sock"

    @property
    def database(self) -> Path:
        """The SQLite file that contains the service's database."""
        return self.live.data / "gradus.db"

    def candidate(self) -> Candidate:
        """Create an account with an API token."""
        self._people.append(Candidate(self.live.url))
        return self._people[-1]

    def in_a_browser(self) -> httpx.Client:
        """Create an account and sign in with its password, for requests that are not allowed with a token."""
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
        """Return a client that is not signed in."""
        return httpx.Client(base_url=self.live.url, timeout=20.0, **more)

    def rows(self, query: str, *values: object) -> list[Any]:
        """Query the database, as an operator could. Return the rows."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=10.0)) as connection:
            return connection.execute(query, values).fetchall()

    def change(self, query: str, *values: object) -> None:
        """Change the database without the service, as a process with stolen or outdated access could."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=10.0)) as connection, connection:
            connection.execute(query, values)

    def log(self, since: int = 0) -> list[dict[str, Any]]:
        """Return the log's entries from byte `since` on. Fail if a line is not a valid entry.

        Emails are left out. Without an SMTP server, the service prints them to the console, between the entries.
        """
        entries = []
        for line in LETTER.sub("", self.live.log.read_bytes()[since:].decode()).splitlines():
            entry = json.loads(line)
            assert isinstance(entry, dict), line
            assert {"event", "level", "timestamp"} <= entry.keys(), line
            entries.append(entry)
        return entries

    def log_end(self) -> int:
        """Return the current end of the log, to pass to `log` later."""
        return self.live.log.stat().st_size

    def judged(self, candidate: Candidate, source: str, **more: str) -> dict[str, Any]:
        """Submit an answer, and wait for its result."""
        return candidate.judged(candidate.submit(more.pop("slug", SLUG), source, **more), WITHIN_S)

    def honest_is_accepted(self, within_s: float = WITHIN_S) -> float:
        """Check that another account's right answer is accepted in time. Return the seconds that this took."""
        started = time.monotonic()
        identifier = self.neighbour.submit(SLUG, HONEST)
        found = self.neighbour.judged(identifier, within_s)
        assert found["verdict"] == "AC", found
        return time.monotonic() - started

    def until(self, holds: Any, what: str, within_s: float = WITHIN_S) -> None:
        """Wait until `holds()` is true. Raise AssertionError with the text `what` if this takes too long."""
        until = time.monotonic() + within_s
        while not holds():
            assert time.monotonic() < until, f"{what}: not within {within_s:.0f} s"
            time.sleep(0.05)

    def check(self, since: int) -> None:
        """Check everything that must be true after any attack. `since` is where the log ended before the attack."""
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
            status = entry.get("status")  # an HTTP status, if it is a number; other entries store other things here
            assert not isinstance(status, int) or status < 500 or entry.get("path") == "/api/ready", entry


@contextlib.contextmanager
def a_target(image: str, challenges: Path | None = None, **settings: str) -> Iterator[Target]:
    """Run a service with an admin and a second account. Everybody may enter the parent of its data folder, so that only the
    service's own file modes protect the data.
    """
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
    """Copy the attacked challenge with higher limits, which leave enough time on a busy machine."""
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
    """Yield every string in a JSON value, including keys."""
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
    """Return everything that the service tells a candidate about a submission: its state, its events, and the list that
    contains it.
    """
    cards = candidate.http.get("/api/submissions").json()["items"]
    return [candidate.get(identifier), [data for _, data in candidate.events(identifier)], cards]


def unshowable(text: str) -> set[str]:
    """Return the control characters in a text, except newline and tab."""
    return {character for character in text if (ord(character) < 32 or 127 <= ord(character) < 160)} - SHOWABLE
