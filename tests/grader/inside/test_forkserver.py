"""Checks the commands of a fork server: each gets one response, in order, and no child is forgotten or killed by mistake."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grader.contract.errors import CellLost, Unavailable
from grader.contract.wire import Caps, Kind, receive, send
from grader.hosts.machine.tasks import Tree
from grader.hosts.zygote_client import Child, ZygoteClient
from grader.inside.confine.forkserver import ForkServer, command, fork


def obey(control: socket.socket, fds: list[int]) -> None:
    """Act as a child that obeys the byte that it reads. On `e`, it exits with status 3. On `k` or `t`, it ends by a signal. On
    `r`, it raises an exception. On any other byte, it exits with status 0.
    """
    control.close()
    sock = socket.socket(fileno=fds[0])
    what = sock.recv(1)
    if what == b"k":
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()
    if what == b"t":
        os.kill(os.getpid(), 40)
        signal.pause()
    if what == b"r":
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        raise RuntimeError
    if what == b"e":
        os._exit(3)


def failing(command: dict[str, Any]) -> dict[str, Any]:
    raise KeyError("missing")


@pytest.fixture
def control() -> Iterator[socket.socket]:
    """The node's end of a socket. At the other end, a fork server runs in a child process."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        with theirs:
            extra: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"fail": failing}
            ForkServer(theirs, lambda order, fds: fork(lambda: obey(theirs, fds)), extra).serve()
        os._exit(0)
    theirs.close()
    yield ours
    ours.close()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@pytest.fixture
def client(control: socket.socket) -> ZygoteClient:
    return ZygoteClient(control, Tree(os.getpid()))


def of_pid(pid: int) -> Child:
    ours, theirs = socket.socketpair()
    theirs.close()
    return Child(ours, -1, pid)


def told(child: Child, what: bytes) -> None:
    child.sock.sendall(what)


@pytest.mark.parametrize(
    ("what", "ending"),
    [
        (b"e", "ended with exit status 3"),
        (b"k", "was killed by signal 15 (SIGTERM)"),
        (b"t", "was killed by signal 40"),
        (b"r", "ended with exit status 1"),
        (b"x", "ended with exit status 0"),
    ],
)
def test_ending_of_a_child_is_told_in_words(client: ZygoteClient, what: bytes, ending: str) -> None:
    child = client.fork()
    told(child, what)
    assert client.ending(child.pid, seconds=10) == ending
    child.close()


def test_running_child_has_no_ending(client: ZygoteClient) -> None:
    child = client.fork()
    assert client.ending(child.pid, seconds=0.05) is None
    child.close()


def test_a_child_is_pinned_to_one_core(client: ZygoteClient) -> None:
    first, second = client.fork(), client.fork()
    core = max(os.sched_getaffinity(0))
    client.pin(core, first)
    assert os.sched_getaffinity(first.pid) == {core}
    assert os.sched_getaffinity(second.pid) == os.sched_getaffinity(0)
    for child in (first, second):
        client.end(child)


def test_later_children_are_pinned_to_one_core(client: ZygoteClient) -> None:
    core = max(os.sched_getaffinity(0))
    client.pin(core)
    child = client.fork()
    assert os.sched_getaffinity(child.pid) == {core}
    client.end(child)


def test_a_core_that_does_not_exist_changes_nothing(client: ZygoteClient) -> None:
    client.pin(100_000)
    child = client.fork()
    assert os.sched_getaffinity(child.pid) == os.sched_getaffinity(0)
    client.end(child)


def test_ended_child_is_gone_when_the_answer_comes(client: ZygoteClient) -> None:
    child = client.fork()
    client.end(child)
    assert not os.path.exists(f"/proc/{child.pid}")
    assert child.sock.fileno() == -1


def test_fork_that_fails_is_told_and_the_server_lives() -> None:
    def refuse(order: dict[str, Any], fds: list[int]) -> int:
        raise OSError(28, "No space left on device")

    ours, theirs = socket.socketpair()
    server = threading.Thread(target=ForkServer(theirs, refuse).serve)
    server.start()
    with ours:
        client = ZygoteClient(ours, Tree(os.getpid()))
        for _ in range(2):
            with pytest.raises(Unavailable, match=r"cannot fork a child: .*No space left"):
                client.fork()
    server.join()
    theirs.close()


def test_stranger_is_not_killed(client: ZygoteClient) -> None:
    stranger = os.fork()
    if stranger == 0:
        time.sleep(60)
        os._exit(0)
    try:
        client.end(of_pid(stranger))
        client.ping()
        assert os.waitpid(stranger, os.WNOHANG) == (0, 0)
    finally:
        os.kill(stranger, signal.SIGKILL)
        os.waitpid(stranger, 0)


def test_child_does_not_hold_the_control_socket(client: ZygoteClient, control: socket.socket) -> None:
    child = client.fork()
    control.shutdown(socket.SHUT_WR)
    control.settimeout(10)
    assert control.recv(1) == b""
    child.close()


def test_failing_command_is_an_answer_and_the_server_lives(control: socket.socket, client: ZygoteClient) -> None:
    deadline = time.monotonic() + 10
    assert "KeyError" in command(control, {"do": "fail"}, [], deadline=deadline)["error"]
    assert "error" in command(control, {"do": "no such thing"}, [], deadline=deadline)
    client.ping()


def test_unknown_pid_has_ended(client: ZygoteClient) -> None:
    assert client.ending(2**22 + 1) == "ended"
    client.end(of_pid(2**22 + 1))


def test_descriptors_of_both_sides_are_closed_again(client: ZygoteClient) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        child = client.fork()
        told(child, b"e")
        assert client.ending(child.pid, seconds=10) is not None
        child.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_server_that_is_gone_is_a_lost_cell() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours, pytest.raises(CellLost, match="ping"):
        ZygoteClient(ours, Tree(os.getpid())).ping()


def test_answer_of_a_slow_server_is_awaited_up_to_the_deadline() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        thread = threading.Thread(target=_answer_late, args=(theirs,))
        thread.start()
        assert command(ours, {"do": "ping"}, [], deadline=time.monotonic() + 10) == {"late": True}
        thread.join()


def _answer_late(sock: socket.socket) -> None:
    receive(sock, caps=_CAPS, deadline=None)
    time.sleep(0.05)
    send(sock, Kind.ANSWER, {"late": True})


_CAPS = Caps(tree=1000, blob=0)
