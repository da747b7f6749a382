"""Tests that no secret reaches the logs of the real service, and that no user can forge a line in them."""

import io
import json
import logging
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog

from api.kit.logs import LineLogger, sanitize
from tests.api.challenge_folders import write_challenge
from tests.api.test_cli import free_port, serve

PASSWORD, OTHER = "PASSWORD-one-secret", "PASSWORD-two-secret"
SOURCE, SNIPPET, EMAIL = "SOURCE_secret = 1", "print('SNIPPET_secret')", "EMAILsecret@example.org"
KEY = "IDEMPOTENCY-secret"
# A user of a terminal, or a program that reads lines, would mistake this text for output of the service.
FORGED = '\n{"event": "FORGED", "level": "info"}\r\n2026-01-01 [info] FORGED \x1b[2J\x1b[31mred\u202eder\u2028'


@contextmanager
def served(home: Path, log_format: str) -> Iterator[tuple[httpx.Client, list[str]]]:
    """Run a service in its own process. Yield a client and a list, which contains the log after the `with` block."""
    write_challenge(home / "challenges")
    port = free_port()
    log: list[str] = []
    process = serve(home, "--port", str(port), log_format=log_format)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30, trust_env=False) as client:
            _wait(client, process)
            yield client, log
        process.send_signal(signal.SIGINT)
        log.append(process.communicate(timeout=60)[1])
    finally:
        process.kill()


def _wait(client: httpx.Client, process: "subprocess.Popen[str]") -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert process.poll() is None
        try:
            client.get("/api/health")
            return
        except httpx.TransportError:
            time.sleep(0.1)


def whole_life(client: httpx.Client, home: Path) -> list[str]:
    """Send the usual requests of a user, from registering to submitting, then invalid ones, and cause two internal errors.
    Return the secrets that the requests contained.
    """
    account = {"email": EMAIL, "name": "Ada", "password": PASSWORD}
    secret = [PASSWORD, OTHER, "SOURCE_secret", "SNIPPET_secret", "EMAILsecret", "emailsecret", KEY]

    def post(path: str, body: Any, **headers: str) -> dict[str, Any]:
        answer = client.post(path, json=body, headers=headers)
        secret.extend(value.partition("=")[2].partition(";")[0] for value in answer.headers.get_list("set-cookie"))
        told: dict[str, Any] = answer.json()
        return told

    post("/api/accounts", account)
    post("/api/accounts", account)
    post("/api/accounts", {**account, "name": PASSWORD * 10})
    post("/api/session", {"email": EMAIL, "password": OTHER})
    post("/api/session", {"email": EMAIL, "password": PASSWORD})
    post("/api/setup", {**account, "token": "setup_" + "T" * 40})
    post("/api/me/password", {"current": PASSWORD, "password": OTHER})
    token = post("/api/me/tokens", {"name": "laptop"})["token"]
    secret += [token, "T" * 40, client.cookies["gradus_session"]]
    sent = post("/api/submissions", {"slug": "add-one", "kind": "submit", "source": SOURCE}, **{"Idempotency-Key": KEY})
    post("/api/scratch", {"slug": "add-one", "source": SOURCE, "snippet": SNIPPET}, Authorization=f"Bearer {token}")
    client.get(f"/api/submissions/{sent['id']}/source")
    client.get("/api/me", headers={"Authorization": f"Bearer {token}x"})
    # These are mistakes that people make: a token in a URL, a password as a parameter.
    client.get(f"/api/me/tokens/{token}")
    client.get("/api/challenges", params={"q": PASSWORD, "password": PASSWORD})
    client.post("/api/session", content=f'{{"password": "{PASSWORD}"', headers={"Content-Type": "application/json"})
    with sqlite3.connect(home / "var" / "gradus.db", timeout=10) as database:
        database.execute("ALTER TABLE submission_source RENAME TO elsewhere")
        database.execute("ALTER TABLE account RENAME COLUMN password_hash TO elsewhere")
    assert post("/api/submissions", {"slug": "add-one", "kind": "submit", "source": SOURCE + "2"})["status"] == 500
    assert post("/api/accounts", {**account, "email": "EMAILsecret2@example.org"})["status"] == 500
    return secret


@pytest.mark.parametrize("log_format", ["json", "text"])
def test_no_secret_is_logged_and_no_line_is_forged(home: Path, log_format: str) -> None:
    with served(home, log_format) as (client, log):
        address = "/api/challenges/" + "".join(f"%{byte:02X}" for byte in FORGED.encode())
        assert client.get(address).status_code == 404
        # This path contains no spaces, because the renderer for terminals would put a value with spaces in quotes.
        client.get("/" + "".join(f"%{byte:02X}" for byte in "\x1b[2J\x1b[31mred\u202eder\x85FORGED\u2028".encode()))
        client.get("/" + "x" * 5000)
        client.get("/api/health", headers={"User-Agent": "\x1b[31mFORGED", "X-Request-ID": "FORGED 1\t2"})
        secret = whole_life(client, home)
    text = log[0]
    assert len(secret) > 12
    assert [value for value in secret if value and value in text] == []
    assert text.count("request_failed") == 2, "what broke is told"
    assert "OperationalError" in text
    assert "Traceback" in text
    lines = text.splitlines()
    assert max(map(len, lines)) < 20_000
    if log_format == "json":
        events = [json.loads(line) for line in lines]
        assert {"FORGED"}.isdisjoint(event["event"] for event in events)
        assert all(text.isascii() and "\x1b" not in text for text in lines)
    else:
        plain = [re.sub(r"\x1b\[\d*m", "", line) for line in lines]
        begins = [line for line in plain if not line.startswith("    ")]
        assert all(re.match(r"\d{4}-\d\d-\d\dT\S+ \[", line) for line in begins), (
            "only our own lines begin at the margin"
        )
        assert not [line for line in lines if "\x1b[2J" in line or "\x1b[31mred" in line or "\u202e" in line]
    assert text.count("FORGED") == 3, "each where it belongs: in the path of a request"


def test_why_nothing_has_started_comes_before_where_it_was_noticed() -> None:
    told = 'Traceback (most recent call last):\n  File "app.py", line 1, in start\nOSError: the disk is full\n'
    tamed = sanitize(None, "error", {"event": told, "level": "error"})
    assert tamed["event"] == "OSError: the disk is full"
    assert tamed["exception"].splitlines()[1] == '      File "app.py", line 1, in start'


def test_a_line_that_cannot_be_written_is_lost_and_nothing_else() -> None:
    """If the disk is full, a log line is lost, but writing it must not raise an exception. An exception could stop the service
    in the middle of its work, such as claiming a job.
    """
    with Path("/dev/full").open("w") as full:
        lines = structlog.wrap_logger(
            LineLogger(full), wrapper_class=structlog.make_filtering_bound_logger(logging.INFO)
        )
        for tell in (lines.info, lines.warning, lines.error, lines.exception):
            tell("nobody reads this")
        with pytest.raises(OSError, match="No space"):
            structlog.PrintLogger(full).msg("so it is full")
        with suppress(OSError):
            full.close()


def test_a_line_and_its_break_are_written_in_one_call() -> None:
    """The line and its line break must be written in one call. With two calls, a line of another thread, such as the node's,
    could come between them.
    """
    written: list[str] = []

    class File(io.StringIO):
        def write(self, text: str) -> int:
            written.append(text)
            return len(text)

    LineLogger(File()).info("one line")
    assert written == ["one line\n"]
