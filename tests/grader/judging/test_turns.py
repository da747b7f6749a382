"""Checks the node's side of the wire, its connection to a child. A judging must keep its limits, and deadlines must apply if
the child sends very slowly, stalls or never reads.
"""

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.contract.errors import Starved
from grader.contract.job import Limits, Verdict
from grader.contract.wire import (
    HEADER,
    MAGIC,
    NO_CALL,
    Caps,
    Frame,
    Kind,
    WireError,
    WireTimeout,
    receive,
    send,
)
from grader.hosts.zygote_client import Child
from grader.inside.serialization.results import unpack_result
from grader.judging.candidate_turns import CandidateTurns
from grader.judging.terminated import Terminated

LATE_S = 1.5
CALL = b"c" * 16


class Host:
    """Replaces the host of a cell. It reports that the cell is idle and uses no CPU time."""

    def __init__(self) -> None:
        self.zygote = self

    def cpu_seconds(self) -> float:
        return 0.0

    def runs(self) -> bool | None:
        return False

    def oom_kills(self) -> int:
        return 0

    def ending(self, pid: int) -> str | None:
        return "ended"


class CellOf:
    """Replaces a cell. It has only the attributes that CandidateTurns uses."""

    def __init__(self, host: Host, speed: float) -> None:
        self.host, self.speed, self.meter = host, speed, None

    def cpu_s(self) -> float:
        return 0.0


Peer = Callable[[socket.socket, threading.Event], None]


class StarvedHost(Host):
    """Reports that the cell always waits for a processor and never gets one."""

    def runs(self) -> bool | None:
        return True


@contextmanager
def turns(
    peer: Peer | None = None, *, host: Host | None = None, speed: float = 1.0, **limits: Any
) -> Iterator[tuple[CandidateTurns, Child]]:
    """Provide CandidateTurns for a machine of this speed, and the child that it talks to. The child is a thread, which runs
    `peer` with the child's socket.
    """
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    stop = threading.Event()
    thread = threading.Thread(target=peer or _echo, args=(theirs, stop))
    child = Child(ours, reading, 1)
    thread.start()
    try:
        cell: Any = CellOf(host or Host(), speed)
        yield CandidateTurns(cell, Limits(**limits), lambda: False), child
    finally:
        stop.set()
        child.close()
        thread.join(10)
        theirs.close()  # only now, because the thread may still be reading from it
        os.close(writing)
        assert not thread.is_alive()


def _echo(sock: socket.socket, stop: threading.Event) -> None:
    """Act as an honest child, which replies with the blob that it received."""
    while not stop.is_set():
        try:
            frame = receive(sock, caps=Caps(blob=1 << 30), deadline=time.monotonic() + 0.2)
            send(sock, Kind.REPLY, None, [frame.blob], call=frame.call, deadline=time.monotonic() + 5)
        except (WireError, OSError):
            stop.wait(0.01)


def asked(turn: CandidateTurns, child: Child, size: int = 0) -> Frame | Terminated:
    return turn.turn(child, Frame(Kind.CALL, NO_CALL, b"null", bytes(size)), CALL, kinds=(Kind.REPLY,))


def test_calls_of_a_judging() -> None:
    with turns(calls=3) as (turn, child):
        assert all(isinstance(asked(turn, child), Frame) for _ in range(3))
        gone = asked(turn, child)
        assert isinstance(gone, Terminated)
        assert (gone.verdict, gone.message) == (Verdict.TLE, "more than 3 calls in one judging")


def test_bytes_of_a_judging() -> None:
    each = (1 << 18) - HEADER.size - 4  # two calls make 4 frames of 256 KiB, exactly 1 MiB in total
    with turns(wire_mb=1) as (turn, child):
        assert all(isinstance(asked(turn, child, each), Frame) for _ in range(2))
        gone = asked(turn, child)
        assert isinstance(gone, Terminated)
        assert (gone.verdict, gone.message) == (Verdict.OLE, "more than 1 MB of values in one judging")


@pytest.mark.parametrize(("size", "fine"), [(1 << 20, True), ((1 << 20) + 1, False)])
def test_bytes_of_one_reply(size: int, fine: bool) -> None:
    with turns(frame_mb=1) as (turn, child):
        answer = asked(turn, child, size)
        assert isinstance(answer, Frame) is fine
        assert fine or (isinstance(answer, Terminated) and answer.verdict is Verdict.OLE)


def reply(size: int) -> bytes:
    return HEADER.pack(MAGIC, Kind.REPLY, CALL, 4, size) + b"null" + bytes(size)


def _drip(sock: socket.socket, stop: threading.Event) -> None:
    for byte in reply(1000):
        if stop.wait(0.02):
            return
        sock.send(bytes([byte]))


def _announce(sock: socket.socket, stop: threading.Event) -> None:
    sock.send(reply(64 << 20)[: HEADER.size + 4])
    stop.wait()


def _never_read(sock: socket.socket, stop: threading.Event) -> None:
    stop.wait()


@pytest.mark.parametrize(("peer", "size"), [(_drip, 0), (_announce, 0), (_never_read, 0), (_never_read, 64 << 20)])
def test_no_peer_outlives_the_deadline_of_a_call(peer: Peer, size: int) -> None:
    with turns(peer, cpu_s_per_call=0.1) as (turn, child):
        started = time.monotonic()
        gone = asked(turn, child, size)
        took = time.monotonic() - started
    assert isinstance(gone, Terminated)
    assert (gone.verdict, gone.message) == (Verdict.TLE, "a call took longer than 0.3 s")
    assert 0.3 <= took < 0.3 + LATE_S


def test_a_frame_that_comes_too_late_is_not_read_though_it_is_there() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(reply(0))
        with pytest.raises(WireTimeout):
            receive(theirs, caps=Caps(), deadline=time.monotonic() - 0.01)


def test_no_peer_outlives_the_deadline_of_a_judging() -> None:
    def slow(sock: socket.socket, stop: threading.Event) -> None:
        while not stop.wait(0.2):
            sock.send(reply(0))

    with turns(slow, cpu_s=0.2) as (turn, child):
        started = time.monotonic()
        answers = [asked(turn, child)]
        while isinstance(answers[-1], Frame):
            answers.append(asked(turn, child))
        took = time.monotonic() - started
    gone = answers[-1]
    assert isinstance(gone, Terminated)
    assert gone.verdict is Verdict.TLE
    assert len(answers) > 1
    assert 0.6 <= took < 0.6 + LATE_S


@pytest.mark.parametrize(("speed", "least_s"), [(5.0, 0.4), (0.5, 4.0)])
def test_starving_is_seconds_of_the_reference_machine_too(speed: float, least_s: float) -> None:
    with turns(_never_read, host=StarvedHost(), speed=speed, cpu_s=0.02) as (turn, child):
        started = time.monotonic()
        with pytest.raises(Starved):
            asked(turn, child)
        took = time.monotonic() - started
    assert least_s <= took < least_s + LATE_S


@settings(max_examples=100, deadline=None, database=None)
@given(st.binary(max_size=100) | st.binary(max_size=40).map(lambda data: reply(0)[: -1 - len(data)] + data))
def test_any_bytes_of_a_child_are_a_reply_or_its_own_fault(data: bytes) -> None:
    def say(sock: socket.socket, stop: threading.Event) -> None:
        with contextlib.suppress(OSError):  # the node may already have closed its side
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)

    with turns(say) as (turn, child):
        answer = asked(turn, child)
        assert isinstance(answer, Frame) or answer.verdict in (Verdict.RE, Verdict.OLE)


def test_a_whole_tensor_passes_at_the_limit() -> None:
    tensor = torch.zeros(1 << 20, dtype=torch.uint8)
    with turns(frame_mb=1) as (turn, child):
        answer = asked(turn, child, tensor.numel())
        assert isinstance(answer, Frame)
        found, _ = unpack_result(
            ["R", "uint8", [1 << 20], [1], "cpu", 0, 0, 1 << 20, None], memoryview(answer.blob), []
        )
        assert torch.equal(found, tensor)
