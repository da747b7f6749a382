"""Checks every limit of the decoders: a value at the limit is accepted, and a value one beyond it is refused."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from grader.contract import transport
from grader.contract.wire import (
    HEADER,
    MAGIC,
    NO_CALL,
    Caps,
    Frame,
    Kind,
    WireError,
    WireTooLarge,
    parse_header,
)
from grader.inside.judge.remote.errors import BadReply
from grader.inside.judge.remote.replies import MAX_TENSORS, read, untrusted_reply
from grader.inside.judge.remote.requests import Request
from grader.inside.judge.remote.session import Session
from grader.inside.serialization.results import MAX_DIMS, MAX_SIZE, unpack_result
from grader.inside.serialization.values import (
    MAX_ALIKE,
    MAX_DEPTH,
    MAX_INT_BITS,
    MAX_NODES,
    Decoder,
    Encoder,
    Unsupported,
)


@pytest.mark.parametrize(("tree", "blob", "fine"), [(10, 20, True), (11, 20, False), (10, 21, False)])
def test_size_of_a_frame(tree: int, blob: int, fine: bool) -> None:
    head = HEADER.pack(MAGIC, Kind.REPLY, NO_CALL, tree, blob)
    if fine:
        assert parse_header(head, Caps(tree=10, blob=20))[2:] == (tree, blob)
        return
    with pytest.raises(WireTooLarge):
        parse_header(head, Caps(tree=10, blob=20))


def test_depth_of_a_value() -> None:
    def deep(levels: int) -> Any:
        tree: Any = 1
        for _ in range(levels):
            tree = ["l", tree]
        return tree

    Decoder(b"").decode(deep(MAX_DEPTH))
    with pytest.raises(WireError, match="deep"):
        Decoder(b"").decode(deep(MAX_DEPTH + 1))


def test_parts_of_a_value() -> None:
    assert len(Decoder(b"").decode(["l", *[0] * (MAX_NODES - 1)])) == MAX_NODES - 1
    assert len(Encoder().encode([0] * (MAX_NODES - 1))) == MAX_NODES
    with pytest.raises(WireError, match="parts"):
        Decoder(b"").decode(["l", *[0] * MAX_NODES])
    with pytest.raises(Unsupported, match="parts"):
        Encoder().encode([0] * MAX_NODES)


def test_parts_of_all_values_of_one_reply_count_together() -> None:
    decoder = Decoder(b"")
    decoder.decode(["l", *[0] * (MAX_NODES - 2)])
    decoder.decode(1)
    with pytest.raises(WireError, match="parts"):
        decoder.decode(1)


def test_bits_of_an_integer() -> None:
    assert Decoder(b"").decode(2**MAX_INT_BITS - 1) == 2**MAX_INT_BITS - 1
    with pytest.raises(WireError, match="bits"):
        Decoder(b"").decode(2**MAX_INT_BITS)


def test_keys_of_one_hash() -> None:
    def alike(count: int) -> list[Any]:
        return ["s", *[n * (2**61 - 1) for n in range(1, count + 1)]]

    assert len(Decoder(b"").decode(alike(MAX_ALIKE))) == MAX_ALIKE
    with pytest.raises(WireError, match="hash"):
        Decoder(b"").decode(alike(MAX_ALIKE + 1))


def test_bytes_that_are_cut_from_a_blob() -> None:
    assert Decoder(b"12345678").decode(["l", ["b", 0, 4], ["b", 4, 4]]) == [b"1234", b"5678"]
    with pytest.raises(WireError, match="more bytes"):
        Decoder(b"12345678").decode(["l", ["b", 0, 4], ["b", 4, 4], ["b", 0, 1]])


def row(shape: list[int], size: int, device: str = "cpu") -> list[Any]:
    return ["R", "uint8", shape, [1] * len(shape), device, 0, 0, size, None]


def test_dimensions_of_a_tensor() -> None:
    blob = memoryview(bytearray(1))
    assert unpack_result(row([1] * MAX_DIMS, 1), blob, [])[0].dim() == MAX_DIMS
    with pytest.raises(WireError, match="dimensions"):
        unpack_result(row([1] * (MAX_DIMS + 1), 1), blob, [])


def test_elements_of_a_tensor_without_memory() -> None:
    blob = memoryview(bytearray())
    assert unpack_result(row([MAX_SIZE - 1], 0, "meta"), blob, [])[0].is_meta
    with pytest.raises(WireError, match="size"):
        unpack_result(row([MAX_SIZE // 2, 2], 0, "meta"), blob, [])


@contextmanager
def session() -> Iterator[Session]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Session(ours, Caps())


@pytest.mark.parametrize(("count", "fine"), [(MAX_TENSORS, True), (MAX_TENSORS + 1, False)])
def test_tensors_of_a_reply(count: int, fine: bool) -> None:
    rows = ",".join(['["R","uint8",[0],[1],"cpu",0,0,0,null]'] * count)
    frame = Frame(Kind.REPLY, NO_CALL, f'{{"ok":true,"tensors":[{rows}]}}'.encode(), bytearray())
    with session() as talk:
        if fine:
            assert len(read(frame, Request(talk), {}).tensors) == count
            return
        with pytest.raises(BadReply, match="more tensors"), untrusted_reply():
            read(frame, Request(talk), {})


@pytest.mark.parametrize(
    ("length", "fine"), [(transport.MAX_MESSAGE_BYTES, True), (transport.MAX_MESSAGE_BYTES + 1, False)]
)
def test_size_of_a_message_between_node_and_service(length: int, fine: bool) -> None:
    head = transport._LENGTH.pack(length)
    if fine:
        assert transport._checked_length(head) == length
        return
    with pytest.raises(ValueError, match="over the limit"):
        transport._checked_length(head)
