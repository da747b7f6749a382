"""Tests two kinds of interruption: a connection that breaks during a judging, and a quiz that the user leaves and continues
later. Also tests signing in at a terminal.
"""

import os
import pty
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from frontend.cli import watch
from frontend.cli.service import servers
from frontend.cli.service.following import follow
from tests.api.topic_folders import write_topic
from tests.cli.conftest import GOOD, NUMBERS, Person, Served
from tests.cli.test_judging import REPOSITORY, _read_until

CHUNK = 65_536


class Wire:
    """A local port that forwards connections to a service until a test calls `cut`."""

    def __init__(self, url: str) -> None:
        there = urlsplit(url)
        self._there = (there.hostname, there.port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self._open = [self._door]
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                near = self._door.accept()[0]
            except OSError:
                return
            far = socket.create_connection(self._there)
            self._open += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=_carry, args=(source, sink), daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and accept no new ones."""
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def _carry(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(CHUNK):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


@pytest.fixture
def wire(served: Served) -> Iterator[Wire]:
    """A local port that forwards connections to the service."""
    wire = Wire(served.url)
    yield wire
    wire.cut()


def test_a_broken_wire_leaves_an_id_by_which_one_comes_back(
    person: Person, served: Served, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "follow", partial(follow, patience_s=3.0))
    Path("add-one/answer.py").write_text(GOOD)
    served.held.set()
    threading.Timer(1.5, wire.cut).start()
    told = person.refused("submit", "add-one", "--watch", exit_code=3, GRADUS_URL=wire.url)
    assert "does not respond" in told
    identifier = re.search(r"See the result with: gradus status ([0-9a-f]{32})", told)
    assert identifier, told
    # The connection works again. The submission was sent only once and is still waiting to be judged.
    assert "Wait for the result with: gradus status" in person.ok("status", identifier[1], columns=200)
    threading.Timer(0.5, served.held.clear).start()
    assert "Accepted  4 of 4 points" in person.ok("status", identifier[1], "--watch")
    assert "Accepted  4 of 4 points" in person.ok("status", identifier[1])
    assert person.ok("history", columns=160).count(identifier[1]) == 1
    assert person.ok("history", columns=160).count("add-one") == 1
    # Pulling the challenge again does not change the answer.
    assert "your answer was kept" in person.ok("pull", "add-one")
    assert Path("add-one/answer.py").read_text() == GOOD


@pytest.fixture
def topic(served: Served) -> None:
    """Add a topic to the service. The topic's quiz has a question of every kind."""
    write_topic(served.service.settings.challenges_dir)
    served.service.state.store.reload()


def typed(attempt: dict[str, Any]) -> list[str]:
    """Return the right answers to the questions of an attempt, as a user types them. The user chooses options by letters, and
    each attempt has the options in another order.
    """

    def letters(question: str, side: str = "parts") -> dict[str, str]:
        parts = next(each[side] for each in attempt["questions"] if each["id"] == question)
        return {part["text"]: "abcdefgh"[at] for at, part in enumerate(parts)}

    odd, step, right = letters("pick-all"), letters("order"), letters("pairs", "others")
    return [
        letters("pick")["two"],
        f"{odd['one']} {odd['three!']}",
        *(right[left.lower()] for left in letters("pairs")),
        step["one"] + step["two"] + step["three"],
        "2",
        "(3,)",
    ]


def test_a_quiz_that_is_left_goes_on_where_it_was(person: Person, served: Served, topic: None) -> None:
    headers = {"Authorization": f"Bearer {person.environment['GRADUS_TOKEN']}"}
    attempt = httpx.post(f"{served.url}/api/topics/adding/attempts", headers=headers).json()
    answers = typed(attempt)
    # The input ends in the middle of the quiz, as when a user leaves the program.
    left = person.gradus("quiz", "adding", given="\n".join(["z", *answers[:2]]) + "\n")
    assert left.exit_code != 0
    assert "Question 1 of 6" in left.stdout
    assert "Type letters from a to c, each once." in left.stdout
    assert left.stdout.count("✓ Right") == 2
    told = person.ok("quiz", "adding", given="\n".join(answers[2:]) + "\n")
    assert "Question 3 of 6" in told
    assert "Question 2 of 6" not in told
    assert told.count("✓ Right") == 4
    assert "7 of 7 points" in told
    assert "not the ID of a topic" in person.refused("quiz", "../adding", exit_code=2)
    assert "There is no topic" in person.refused("quiz", "nothing", exit_code=3)


def test_catalogue_is_listed_by_what_one_has_done(person: Person, stranger: Person) -> None:
    assert "3 challenges" in person.ok("list", "--status", "new")
    assert "No challenge matches" in person.ok("list", "--status", "tried")
    Path("add-one/answer.py").write_text(GOOD)
    person.ok("run", "add-one")
    assert "1 challenge." in person.ok("list", "--status", "tried")
    person.ok("submit", "add-one")
    assert "add-one" in person.ok("list", "--status", "solved", "--difficulty", "easy")
    assert "2 challenges" in person.ok("list", "--status", "new")


def test_hints_of_what_an_interview_asks_for_wait(person: Person, served: Served) -> None:
    headers = {"Authorization": f"Bearer {person.environment['GRADUS_TOKEN']}"}
    body = {"level": "junior", "minutes": 30}
    begun = httpx.post(f"{served.url}/api/interviews", headers=headers, json=body).json()
    asked = next(item["slug"] for item in begun["items"] if item["slug"])
    assert "It unlocks when the interview ends." in person.refused("show", asked, "--hints", exit_code=3)
    httpx.post(f"{served.url}/api/interviews/{begun['id']}/finish", headers=headers).raise_for_status()
    assert "Use the plus sign" in person.ok("show", asked, "--hints")


class Terminal:
    """The program in a terminal of its own, in which passwords can be typed."""

    def __init__(self, person: Person, *arguments: str) -> None:
        self._end, program = pty.openpty()
        command = [sys.executable, "-m", "frontend.cli.main", *arguments]
        environment = {**os.environ, **person.environment, "PYTHONPATH": str(REPOSITORY), "TERM": "dumb"}
        self._process = subprocess.Popen(
            command, stdin=program, stdout=program, stderr=program, env=environment, start_new_session=True
        )
        os.close(program)
        self.seen = b""

    def type(self, after: bytes, text: str) -> None:
        """Wait until the program prints the prompt `after`, and type an answer."""
        self.seen += _read_until(self._end, after)
        os.write(self._end, f"{text}\n".encode())

    def end(self, told: bytes) -> int:
        """Wait until the program prints `told`, and until it ends. Return its exit code."""
        self.seen += _read_until(self._end, told)
        code = self._process.wait(20)
        os.close(self._end)
        return code


def test_an_e_mail_address_at_the_token_prompt_signs_in_by_password(stranger: Person, served: Served) -> None:
    name = f"eve-{next(NUMBERS)}"
    served.token(name)
    terminal = Terminal(stranger, "login", served.url)
    terminal.type(b"email and password): ", f"{name}@example.org")
    terminal.type(b"Password: ", "ten characters")
    assert terminal.end(b"as " + name.encode()) == 0
    assert f"{name}@example.org" in stranger.ok("whoami", columns=200)


@pytest.mark.parametrize(
    ("password", "told", "code"),
    [("ten characters", b"Signed in at", 0), ("ten mistakes", b"The email or the password is wrong.", 3)],
)
def test_login_by_e_mail_and_password(
    stranger: Person, served: Served, password: str, told: bytes, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"eve-{next(NUMBERS)}"
    served.token(name)
    terminal = Terminal(stranger, "login", served.url)
    terminal.type(b"email and password): ", "")
    terminal.type(b"Email: ", f"{name}@example.org")
    terminal.type(b"Password: ", password)
    assert terminal.end(b"as " + name.encode() if code == 0 else told) == code
    assert told in terminal.seen
    assert password.encode() not in terminal.seen, "what is typed is not shown"
    monkeypatch.setenv("XDG_CONFIG_HOME", stranger.environment["XDG_CONFIG_HOME"])
    stored = servers.load().servers
    assert list(stored) == ([served.url] if code == 0 else [])
    if code == 0:
        assert f"{name}@example.org" in stranger.ok("whoami", columns=200)
        headers = {"Authorization": f"Bearer {stored[served.url].token}"}
        tokens = httpx.get(f"{served.url}/api/me/tokens", headers=headers).json()["items"]
        assert sorted(each["name"].startswith("gradus on") for each in tokens) == [False, True]
        assert "its token was revoked" in stranger.ok("logout")
