"""Tests how judgings are shown in a terminal and in a notebook. Covers hostile texts, streams that break, Ctrl+C, limits, and
the notebook's magic command.
"""

import os
import pty
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

import gradus
from frontend.cli.failure import Failure
from frontend.cli.rendering import results, screen
from frontend.cli.service import following, records
from frontend.cli.service.client import Client
from frontend.cli.service.records import Challenge, Place, Submission
from grader.contract.job import CompileError, Exhibit, Job, Verdict
from grader.contract.job import TestResult as Ended
from tests.api.scripted_node import result_of
from tests.cli.conftest import BAD, GOOD, Person, Served

REPOSITORY = Path(__file__).parents[2]
HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e<b>[red]not markup[/red]\r:boom:"


def hostile(job: Job) -> dict[str, Any]:
    """Return a judgement in which every text that an answer or an author can write contains terminal control sequences."""
    map_ = Exhibit(
        HOSTILE, "curve", {"series": [{"name": HOSTILE, "length": 1, "x": [0], "y": [1.0]}], "y_label": HOSTILE}
    )
    test = Ended("test_zero", HOSTILE, 1, True, False, Verdict.WA, 0.1, HOSTILE, 3, HOSTILE, (map_,))
    tests = (test, result_of("test_secret_number"), result_of("test_marked_but_not_locked"))
    return {"verdict": Verdict.WA, "tests": tests, "output": HOSTILE}


def test_hostile_texts_stay_texts(person: Person, served: Served) -> None:
    served.judgement = hostile
    Path("add-one/answer.py").write_text(GOOD)
    told = person.gradus("submit", "add-one").stdout
    assert "[red]not markup[/red]" in told
    assert ":boom:" in told
    for arguments in (["list"], ["show", "add-two"], ["status"], ["status", "--json"]):
        output = person.gradus(*arguments).output
        assert not any(each in output for each in "\x1b\x07\x9b\u202e\r"), arguments


def test_compile_error_is_pointed_at(person: Person, served: Served) -> None:
    error = CompileError("invalid syntax", 1, 14, "    return x +\n")
    served.judgement = lambda job: {"verdict": Verdict.CE, "tests": (), "compile_error": error}
    Path("add-one/answer.py").write_text(GOOD)
    told = person.gradus("submit", "add-one")
    assert told.exit_code == 1
    assert "line 1: invalid syntax\n    return x +\n" + " " * 13 + "^" in told.stdout


def test_compile_error_is_told_once_and_no_test_that_was_not_run(person: Person, served: Served) -> None:
    error = CompileError("SyntaxError: invalid syntax", 1, 14, "    return x +\n")
    names = ("test_zero", "test_secret_number", "test_marked_but_not_locked")
    tests = tuple(_not_run(name, Verdict.CE) for name in names)
    judgement = {"verdict": Verdict.CE, "tests": tests, "compile_error": error, "message": error.message}
    served.judgement = lambda job: judgement
    Path("add-one/answer.py").write_text(GOOD)
    told = person.gradus("submit", "add-one").stdout
    assert told.count("SyntaxError: invalid syntax") == 1
    assert "not run" not in told
    assert "secret number" not in told


def test_tests_that_were_not_run_are_told_in_one_line(person: Person, served: Served) -> None:
    tests = (
        result_of("test_zero"),
        *(_not_run(name, Verdict.TLE) for name in ("test_secret_number", "test_marked_but_not_locked")),
    )
    served.judgement = lambda job: {"verdict": Verdict.TLE, "tests": tests}
    Path("add-one/answer.py").write_text(GOOD)
    told = person.gradus("submit", "add-one", columns=200).stdout
    assert "2 tests were not run: the time was up before" in told
    assert "secret number" not in told


def test_result_that_was_not_checked_independently_is_explained(person: Person, served: Served) -> None:
    plain, observed = result_of("test_zero"), msgspec.structs.replace(result_of("test_secret_number"), attested=True)
    Path("add-one/answer.py").write_text(GOOD)
    for second, times in (result_of("test_secret_number"), 0), (observed, 1):
        judgement = {"tests": (plain, second, result_of("test_marked_but_not_locked"))}
        served.judgement = lambda job: judgement  # noqa: B023 (it is called before the next one is made)
        told = person.gradus("submit", "add-one", columns=200).stdout
        assert told.count("secret number  not independently checked") == times
        assert told.count("measured inside the process that ran the code") == times


def test_cases_that_failed_are_named() -> None:
    verdicts = {"a": "WA", "b": "RE", "c": "AC", "d": "WA", "e": "WA"}
    cases = [records.Test(f"test_zero[{name}]", "Zero.", 1, True, verdict, 0.1) for name, verdict in verdicts.items()]
    console = screen.console()
    console.width = 200
    with console.capture() as told:
        console.print(results.tests_table(cases, console))
    assert "zero  sample, 1 of 5 cases, failed: a, b, d " in told.get()


def test_what_the_inside_of_the_judge_says_is_not_told() -> None:
    place = Place(1, None, "The zygote was not warm after 60 s.")
    assert results.waiting(place).startswith("No machine is available right now. Your code is saved")
    assert results.waiting(place, "cuda").startswith("No machine with a GPU is available right now. Your code is saved")
    error = Submission(
        "1", "add-one", "submit", "judged", "JE", 0, 3, None, None, datetime.now(UTC), message="the cell broke"
    )
    assert "cell" not in "".join(str(part) for part in results.verdict(error))


def _not_run(name: str, verdict: Verdict) -> Ended:
    why = "the answer could not be loaded" if verdict is Verdict.CE else "the time was up before"
    return Ended(name, "Read it once more.", 1, False, False, verdict, 0.0, f"not run: {why}", None, "", ())


def test_stream_that_ends_in_the_middle_goes_on(person: Person, served: Served) -> None:
    # The service of these tests ends each stream after half a second.
    served.held.set()
    threading.Timer(1.5, served.held.clear).start()
    Path("add-one/answer.py").write_text(GOOD)
    told = person.gradus("submit", "add-one")
    assert told.exit_code == 0, told.output
    assert "The connection was lost; reconnecting." in told.stderr
    assert "Accepted" in told.stdout


def test_nobody_answers_for_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "SLOWEST_RETRY_S", 0.01)
    client = Client("http://127.0.0.1:9", "token")
    with client.http, pytest.raises(Failure, match="See the result with: gradus status abc"):
        list(following.follow(client, "abc", patience_s=0.1))


def test_too_much_is_waited_for_or_told(person: Person, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    token = person.environment["GRADUS_TOKEN"]
    client = Client(served.url, token)
    served.held.set()
    body = {"slug": "add-one", "kind": "run", "device": "cpu"}
    with client.http:
        for number in range(8):
            client.http.post("/submissions", json={**body, "source": f"{GOOD}# {number}"}).raise_for_status()
    Path("add-one/answer.py").write_text(GOOD)

    def pause(seconds: float) -> None:
        served.held.clear()
        time.sleep(seconds)

    monkeypatch.setattr("frontend.cli.service.client.time", SimpleNamespace(sleep=pause))
    told = person.gradus("run", "add-one")
    assert "The service requests a pause" in told.stderr
    assert told.exit_code == 0, told.output


def test_other_pages_are_no_service(person: Person, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(served.url)
    with client.http:
        with pytest.raises(Failure, match=r"are not compatible: .*Update the older one"):
            client.get("/challenges", Challenge)
        with pytest.raises(Failure, match="It may be older than this program"):
            client.get("/nothing-here", Challenge)
        client.http.base_url = f"{served.url}/"
        with pytest.raises(Failure, match="not as Gradus does"):
            client.get("", Challenge)


def test_ctrl_c_asks_and_cancels(person: Person, served: Served) -> None:
    served.held.set()
    Path("add-one/answer.py").write_text(GOOD)
    program, person_end = pty.openpty()[::-1]
    command = [sys.executable, "-m", "frontend.cli.main", "submit", "add-one"]
    environment = {**os.environ, **person.environment, "PYTHONPATH": str(REPOSITORY), "TERM": "xterm"}
    process = subprocess.Popen(
        command, stdin=program, stdout=program, stderr=program, env=environment, start_new_session=True
    )
    os.close(program)
    try:
        seen = _read_until(person_end, b"Judging")
        process.send_signal(signal.SIGINT)
        seen += _read_until(person_end, b"[y/N]")
        os.write(person_end, b"y\n")
        seen += _read_until(person_end, b"Cancelled")
        assert process.wait(10) == 1, seen
    finally:
        process.kill()
        process.wait()
        os.close(person_end)
    assert "Cancelled" in person.gradus("history").stdout


def _read_until(descriptor: int, what: bytes, within_s: float = 20.0) -> bytes:
    seen, until = b"", time.monotonic() + within_s
    while what not in seen:
        assert time.monotonic() < until, seen
        try:
            seen += os.read(descriptor, 4096)
        except OSError:
            break
    assert what in seen, seen
    return seen


class Shell:
    """Stands in for the part of IPython that the magic command uses. IPython itself is not installed where these tests run."""

    def __init__(self) -> None:
        self.magics: dict[str, Any] = {}
        self.names: dict[str, Any] = {}

    def register_magic_function(self, function: Any, magic_kind: str, magic_name: str) -> None:
        self.magics[magic_name] = function

    def run_cell(self, cell: str) -> SimpleNamespace:
        try:
            exec(cell, self.names)
        except Exception:
            return SimpleNamespace(success=False)
        return SimpleNamespace(success=True)


@pytest.fixture
def cell(person: Person, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function (line, cell) that calls the magic command as a notebook does, and returns what the notebook displays."""
    for name, value in person.environment.items():
        monkeypatch.setenv(name, value)
    shell = Shell()
    gradus.load_ipython_extension(shell)
    return shell.magics["gradus"]


def test_notebook_shows_a_table(cell: Any) -> None:
    shown = cell("add-one --submit", GOOD)
    assert "<strong>Accepted</strong> 4 of 4 points" in shown._repr_html_()
    assert "Accepted  4 of 4 points" in repr(shown)
    assert "Wrong answer (samples)" in repr(cell("add-one", BAD))


def test_notebook_escapes_and_explains(cell: Any, served: Served) -> None:
    assert "%%gradus SLUG" in repr(cell("", GOOD))
    assert "The cell itself failed" in repr(cell("add-one", "1 / 0"))
    assert "There is no" in repr(cell("nothing-like-it", GOOD))
    served.judgement = hostile
    markup = cell("add-one --submit", GOOD)._repr_html_()
    assert "&lt;b&gt;" in markup
    assert "<b>" not in markup
    assert not any(each in markup for each in "\x1b\x07\x9b\u202e")


def compared(job: Job) -> dict[str, Any]:
    """Return the judgement of a run on an own input, in which the answer and the reference differ."""
    told = "Shape differs: yours [2], the reference's [3]."
    exhibit = Exhibit(told, "comparison", {"matches": False})
    test = Ended("test_own_input", "The same.", 0, True, False, Verdict.WA, 0.1, told, None, "built\n", (exhibit,))
    return {"verdict": Verdict.WA, "tests": (test,), "score": 0, "max_score": 0}


def test_own_input_is_compared_with_the_reference(person: Person, served: Served) -> None:
    served.judgement = compared
    Path("add-one/answer.py").write_text(GOOD)
    told = person.gradus("compare", "add-one", "--input", "print('built')\nadd_one(4)")
    assert told.exit_code == 1
    assert "✗ Shape differs: yours [2], the reference's [3]." in told.stdout
    assert "built" in told.stdout
    assert "9 more own inputs" in told.stderr
    example = person.gradus("compare", "add-one")
    assert "add_one(0)" in example.stderr
    assert "Differs (own input)" in person.gradus("history").stdout
