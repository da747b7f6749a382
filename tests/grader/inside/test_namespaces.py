"""Checks that a process in new namespaces leaves nothing behind, and that a failure to create them is reported."""

import faulthandler
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.inside.confine import kernel
from grader.inside.confine.namespaces import NamespaceError, Surroundings, Tmpfs, child_status, end, problem, spawn

Probe = Callable[..., dict[str, Any]]
NOTHING = {
    "files": 0,
    "shared memory": [],
    "system v": [False, False, False],
    "socket": False,
    "host name": False,
    "processes": 1,  # process 1 of the namespaces
}


def assert_gone(report: dict[str, Any], *, filtered: bool) -> None:
    first, second = report["first"], report["second"]
    assert first.pop("ended in s") < 60
    second.pop("ended in s")
    # What was planted was there, so the second child could have found it.
    assert first["files"] > 500
    assert first["shared memory"] == ["planted"]
    assert first["socket"]
    assert first["processes"] >= 20
    # The filter of a container forbids the objects of System V.
    assert first["system v"] == [not filtered] * 3
    assert second == NOTHING
    assert report["alive"] == []
    assert report["here"] == []


@pytest.mark.docker
def test_nothing_is_left_in_a_container(in_cell: Probe) -> None:
    assert_gone(in_cell("leftovers", 70001, "/tmp"), filtered=True)


def test_nothing_is_left_in_a_process_cell(as_process: Probe, job_root: str, job_uid: int) -> None:
    assert_gone(as_process("leftovers", job_uid, job_root), filtered=False)


@pytest.fixture
def here(tmp_path: Path) -> Surroundings:
    """Surroundings with one file system of the child's own."""
    return Surroundings((Tmpfs(str(tmp_path), 1, 10),))


def as_somebody(act: Callable[[], str]) -> str:
    """Call `act` in a process of an ordinary account. Return what `act` returns."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        faulthandler.disable()
        if os.getuid() == 0:
            os.setgroups([])
            os.setresgid(70002, 70002, 70002)
            os.setresuid(70002, 70002, 70002)
        try:
            os.write(writing, act().encode())
        except BaseException as error:
            os.write(writing, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    return said


def status_of(run: Callable[[], None]) -> str:
    """Return the exit status of process 1 of namespaces in which `run` was called."""

    def act() -> str:
        pid = spawn(Surroundings(()), lambda _: None, run)
        return str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

    return as_somebody(act)


@pytest.mark.parametrize(
    ("run", "status"),
    [
        (lambda: None, "0"),
        (lambda: os._exit(7), "7"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "137"),
        (os.abort, "134"),
    ],
)
def test_process_1_passes_on_how_its_child_ended(run: Callable[[], None], status: str) -> None:
    assert status_of(run) == status


def test_child_leaves_a_process_behind() -> None:
    """How the child ended is known while the process that it left lives on. A name that only looks like it is not believed."""

    def run() -> None:
        if os.fork() == 0:
            signal.pause()
        os._exit(7)

    def pretend() -> None:
        kernel.set_name("ended 0")
        signal.pause()

    def act() -> str:
        pid = spawn(Surroundings(()), lambda _: None, run)
        liar = spawn(None, lambda _: None, pretend)
        deadline = time.monotonic() + 60
        while (status := child_status(pid)) is None and time.monotonic() < deadline:
            time.sleep(0.01)
        while Path(f"/proc/{liar}/comm").read_text() != "ended 0\n" and time.monotonic() < deadline:
            time.sleep(0.01)
        said = f"{status} {os.waitpid(pid, os.WNOHANG)} {child_status(liar)}"
        end(pid)
        end(liar)
        return f"{said} {child_status(pid)}"

    assert as_somebody(act) == f"{7 << 8} (0, 0) None None"


def test_child_that_kills_process_1_kills_nobody() -> None:
    def strike() -> None:
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
            os.kill(1, number)
        os._exit(5)

    assert status_of(strike) == "5"


def test_orphans_are_reaped_by_process_1() -> None:
    def orphan() -> None:
        for _ in range(30):
            if (pid := os.fork()) == 0:
                if os.fork() == 0:
                    os._exit(0)
                os._exit(0)
            os.waitpid(pid, 0)
        zombies = [each for each in os.listdir("/proc") if each.isdigit() and int(each) > 2]
        deadline = 200
        while zombies and deadline:
            signal.sigtimedwait([], 0.02)
            zombies = [each for each in os.listdir("/proc") if each.isdigit() and int(each) > 2]
            deadline -= 1
        os._exit(len(zombies))

    assert status_of(orphan) == "0"


def test_all_but_its_own_file_systems_is_read_only(here: Surroundings, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    for parent in list(tmp_path.parents)[:3]:
        parent.chmod(parent.stat().st_mode | 0o055)
    elsewhere = tmp_path.parent / "open to all"
    elsewhere.mkdir()
    elsewhere.chmod(0o777)
    (tmp_path / "of the machine").touch()

    def run() -> None:
        Path(tmp_path, "mine").touch()
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        try:
            (elsewhere / "file").touch()
        except OSError as error:
            os._exit(error.errno or 255)

    def act() -> str:
        pid = spawn(here, lambda _: None, run)
        return str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

    assert as_somebody(act) == "30"  # EROFS
    assert os.listdir(tmp_path) == ["of the machine"]


def test_error_while_confining_is_told_and_leaves_no_process(here: Surroundings, tmp_path: Path) -> None:
    def fail(keep: Sequence[int]) -> None:
        raise ValueError("a step that failed")

    def act() -> str:
        before = len(os.listdir("/proc/self/fd"))
        try:
            spawn(here, fail, lambda: None)
        except NamespaceError as error:
            return f"{error}, {len(os.listdir('/proc/self/fd')) - before}"
        return "no error"

    tmp_path.chmod(0o777)
    for parent in list(tmp_path.parents)[:3]:
        parent.chmod(parent.stat().st_mode | 0o055)
    assert as_somebody(act) == "a step that failed, 0"


def test_folder_that_is_missing_is_told() -> None:
    said = as_somebody(lambda: problem(Surroundings((Tmpfs("/no such folder", 1, 1),))))
    assert said == "mount tmpfs /no such folder: No such file or directory"


def test_machine_without_namespaces_is_told() -> None:
    """In a user namespace that allows no further ones, as on a host where user.max_user_namespaces is 0."""

    def act() -> str:
        def run() -> None:
            Path("/proc/sys/user/max_user_namespaces").write_text("0")
            kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
            os._exit(0 if problem(Surroundings(())) == NO_SPACE else 1)

        # The nested namespaces need a /proc with the settings of the machine, so this one is not made by `spawn`.
        owner = os.getuid(), os.getgid()
        pid = kernel.clone(0x10000000)
        if pid == 0:
            kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
            for name, text in (("setgroups", "deny"), ("uid_map", "{0} {0} 1"), ("gid_map", "{1} {1} 1")):
                Path(f"/proc/self/{name}").write_text(text.format(*owner))
            run()
        return str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

    assert as_somebody(act) == "0"


NO_SPACE = "no namespaces can be made: No space left on device"


def test_ended_namespaces_can_be_ended_again() -> None:
    def act() -> str:
        pid = spawn(Surroundings(()), lambda _: None, signal.pause)
        end(pid)
        end(pid)
        return str(os.path.exists(f"/proc/{pid}"))

    assert as_somebody(act) == "False"
