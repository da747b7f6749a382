"""Checks the frames of the wire, the connection between judge, node and cell. Frames arrive as they were sent. A peer that
sends false sizes, sends very slowly, stalls or disconnects cannot make the other side use much memory or time.
"""

import json
import socket
import struct
import threading
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.contract.wire import (
    HEADER,
    MAGIC,
    NO_CALL,
    Caps,
    Frame,
    Kind,
    WireClosed,
    WireError,
    WireTimeout,
    forward,
    fresh_call,
    parse_header,
    pending,
    receive,
    send,
    wait_readable,
)

FAST = settings(max_examples=100, deadline=None, database=None)
SMALL = Caps(tree=1000, blob=1000)
LONG_S = 20.0
SHORT_S = 0.15
Pair = tuple[socket.socket, socket.socket]


def soon(seconds: float = LONG_S) -> float:
    return time.monotonic() + seconds


@pytest.fixture
def pair() -> Iterator[Pair]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def header(tree: int, blob: int, *, magic: bytes = MAGIC, kind: int = Kind.CALL) -> bytes:
    return HEADER.pack(magic, kind, NO_CALL, tree, blob)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@FAST
@given(json_values, st.lists(st.binary(max_size=200), max_size=5), st.binary(min_size=16, max_size=16))
def test_frames_come_back(tree: Any, blobs: list[bytes], call: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        size = send(ours, Kind.REPLY, tree, blobs, call=call, deadline=soon())
        frame = receive(theirs, caps=Caps(), deadline=soon())
        assert (frame.kind, frame.call, frame.size) == (Kind.REPLY, call, size)
        assert frame.json() == tree
        assert bytes(frame.blob) == b"".join(blobs)
        assert not pending(theirs)


@FAST
@given(st.binary(min_size=HEADER.size, max_size=HEADER.size))
def test_any_header_is_read_or_refused(head: bytes) -> None:
    try:
        _, _, tree, blob = parse_header(head, SMALL)
    except WireError:
        return
    assert tree <= SMALL.tree
    assert blob <= SMALL.blob


@FAST
@given(st.binary(max_size=80))
def test_any_bytes_are_a_frame_or_an_error(data: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(data)
        ours.close()
        with pytest.raises(WireError):
            receive(theirs, caps=SMALL, deadline=soon())


@FAST
@given(st.binary(max_size=60))
def test_any_tree_is_json_or_an_error(tree: bytes) -> None:
    try:
        value = Frame(Kind.REPLY, NO_CALL, tree, b"").json()
    except WireError:
        return
    assert value == value or json.dumps(value)  # noqa: PLR0124


def test_a_deep_tree_is_an_error() -> None:
    with pytest.raises(WireError, match="JSON"):
        Frame(Kind.REPLY, NO_CALL, b"[" * 500_000, b"").json()


@pytest.mark.parametrize(
    ("head", "complaint"),
    [
        (header(0, 0, magic=b"HTTP"), "not a frame"),
        (header(0, 0, kind=99), "unknown frame kind 99"),
        (header(1001, 0), "over the limit"),
        (header(0, 1001), "over the limit"),
        (header(2**32 - 1, 2**64 - 1), "over the limit"),
    ],
)
def test_a_bad_header_is_refused_at_once(pair: Pair, head: bytes, complaint: str) -> None:
    ours, theirs = pair
    ours.sendall(head)
    with pytest.raises(WireError, match=complaint):
        receive(theirs, caps=SMALL, deadline=soon())


def test_caps_are_inclusive(pair: Pair) -> None:
    ours, theirs = pair
    send(ours, Kind.CALL, "x" * 998, [b"y" * 1000], deadline=soon())
    assert receive(theirs, caps=SMALL, deadline=soon()).size == HEADER.size + 2000


def test_a_header_alone_allocates_nothing(pair: Pair) -> None:
    ours, theirs = pair
    ours.sendall(header(10, 4 << 30) + b" " * 10)
    tracemalloc.start()
    try:
        with pytest.raises(WireTimeout):
            receive(theirs, caps=Caps(blob=8 << 30), deadline=soon(SHORT_S))
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("sent", [0, 1, HEADER.size - 1, HEADER.size, HEADER.size + 3])
def test_a_frame_that_stops_halfway_times_out(pair: Pair, sent: int) -> None:
    ours, theirs = pair
    ours.sendall((header(4, 4) + b"nullblob")[:sent])
    started = time.monotonic()
    with pytest.raises(WireTimeout):
        receive(theirs, caps=SMALL, deadline=soon(SHORT_S))
    assert time.monotonic() - started < LONG_S


@pytest.mark.parametrize("sent", [0, 1, HEADER.size, HEADER.size + 5])
def test_a_frame_whose_sender_leaves_is_closed(pair: Pair, sent: int) -> None:
    ours, theirs = pair
    ours.sendall((header(4, 4) + b"nullblob")[:sent])
    ours.close()
    with pytest.raises(WireClosed):
        receive(theirs, caps=SMALL, deadline=soon())


def test_a_drip_does_not_outlive_the_deadline(pair: Pair) -> None:
    ours, theirs = pair
    stop = threading.Event()

    def drip() -> None:
        for byte in header(0, 1000) + bytes(1000):
            if stop.wait(0.01):
                return
            ours.send(bytes([byte]))

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        with pytest.raises(WireTimeout):
            receive(theirs, caps=SMALL, deadline=soon(0.3))
    finally:
        stop.set()
        thread.join()


def test_a_deadline_in_the_past_does_not_wait(pair: Pair) -> None:
    with pytest.raises(WireTimeout):
        receive(pair[1], caps=SMALL, deadline=time.monotonic() - 1)


def test_a_peer_that_never_reads_does_not_hold_the_sender(pair: Pair) -> None:
    with pytest.raises(WireTimeout):
        send(pair[0], Kind.CALL, None, [bytes(16 << 20)], deadline=soon(SHORT_S))


def test_a_peer_that_reads_slowly_gets_everything(pair: Pair) -> None:
    ours, theirs = pair
    blob = bytes(range(256)) * 8192
    received: list[Frame] = []
    thread = threading.Thread(target=lambda: received.append(receive(theirs, caps=Caps(), deadline=soon())))
    thread.start()
    send(ours, Kind.CALL, [1], [blob[:100], b"", blob[100:]], deadline=soon())
    thread.join(LONG_S)
    assert bytes(received[0].blob) == blob


def test_more_buffers_than_one_system_call_takes(pair: Pair) -> None:
    ours, theirs = pair
    blobs = [struct.pack(">H", n) for n in range(3000)]
    send(ours, Kind.CALL, None, blobs, deadline=soon())
    assert bytes(receive(theirs, caps=Caps(), deadline=soon()).blob) == b"".join(blobs)


def test_sending_to_a_closed_peer_is_closed(pair: Pair) -> None:
    pair[1].close()
    with pytest.raises(WireClosed):
        send(pair[0], Kind.CALL, None, [bytes(1 << 20)], deadline=soon())


def test_frames_follow_each_other(pair: Pair) -> None:
    ours, theirs = pair
    for n in range(5):
        send(ours, Kind.RESULT, n, [bytes(n)], deadline=soon())
    frames = [receive(theirs, caps=SMALL, deadline=soon()) for _ in range(5)]
    assert [(frame.json(), len(frame.blob)) for frame in frames] == [(n, n) for n in range(5)]


def test_a_frame_is_forwarded_under_another_call(pair: Pair) -> None:
    ours, theirs = pair
    call = fresh_call()
    forward(ours, Frame(Kind.CALL, NO_CALL, b"[1]", b"blob"), call=call, deadline=soon())
    frame = receive(theirs, caps=SMALL, deadline=soon())
    assert (frame.kind, frame.call, bytes(frame.tree), bytes(frame.blob)) == (Kind.CALL, call, b"[1]", b"blob")


def test_call_ids_differ() -> None:
    assert len({fresh_call() for _ in range(100)}) == 100


def test_waiting_tells_whether_there_is_something(pair: Pair) -> None:
    ours, theirs = pair
    assert not pending(theirs)
    assert not wait_readable(theirs, 0.01)
    ours.sendall(b"x")
    assert pending(theirs)
    assert wait_readable(theirs, LONG_S)
