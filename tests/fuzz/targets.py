"""Contains the targets of the fuzzer. Together they run all trusted code that reads what a cell has sent. A target accepts any
bytes.

A target returns if the bytes lead to a value, or to an error that the decoder documents. Any other exception is a crash. An
input is one byte that selects a conversation, followed by frames in the form in which a cell sends them. Each target uses some
of the decoders on the input.
"""

import json
import socket
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from grader.contract.wire import HEADER, NO_CALL, Caps, Frame, Kind, WireClosed, WireError, receive
from grader.inside.judge.remote.attest import RemoteAttest
from grader.inside.judge.remote.errors import BadReply, CellGone, RemoteError
from grader.inside.judge.remote.session import Session
from grader.inside.judge.remote.solution import RemoteIterator, Solution
from grader.inside.serialization.results import unpack_result
from grader.inside.serialization.values import Decoder
from grader.judging.loaded import MAX_TEXT, read_loaded
from grader.testing.comparison.checks import CheckFailed

LONGEST = 60_000
COUNT = [0]
"""Frames that were given to a decoder so far."""
CAPS = Caps(tree=1 << 15, blob=1 << 15)
PATIENCE_S = 5.0
MOST_FRAMES = 12
DOCUMENTED = (BadReply, RemoteError, CheckFailed, CellGone, WireClosed)
_CLASS = {"methods": ["step", "__len__", "__iter__"], "attributes": ["count"], "returns": "value", "signature": ""}
ENTRIES: list[dict[str, Any]] = [
    {"name": "f", "kind": "function", **_CLASS},
    {"name": "g", "kind": "function", **_CLASS, "mutates": True},
    {"name": "steps", "kind": "function", **_CLASS, "returns": "iterator"},
    {"name": "Thing", "kind": "class", **_CLASS},
    {"name": "Net", "kind": "module", **_CLASS},
]


def split(data: bytes) -> tuple[int, bytes]:
    """Return the byte that selects the conversation, and the rest of the input."""
    return (data[0] if data else 0), data[1:LONGEST]


@contextmanager
def peer(data: bytes) -> Iterator[socket.socket]:
    """Open a connection whose peer has sent these bytes and then closed its side. Yield our end of the connection."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        yield ours


def stream(data: bytes) -> None:
    """Fuzz wire.receive and Frame.json. Read frames until one is refused or the connection ends."""
    started = time.monotonic()
    with peer(split(data)[1]) as sock:
        try:
            for _ in range(MOST_FRAMES):
                COUNT[0] += 1
                frame = receive(sock, caps=CAPS, deadline=started + PATIENCE_S)
                assert len(frame.tree) <= CAPS.tree
                assert len(frame.blob) <= CAPS.blob
                _json(frame)
        except WireError:
            pass
    assert time.monotonic() - started < PATIENCE_S + 1


def _json(frame: Frame) -> Any:
    try:
        return frame.json()
    except WireError:
        return None


def loose(data: bytes) -> Frame:
    """Return the first frame, split into tree and blob as its header says. If the bytes are shorter than a header, all of them
    are the tree. Lengths are not checked, so that most mutations are not rejected at the header.
    """
    COUNT[0] += 1
    body = split(data)[1]
    if len(body) < HEADER.size:
        return Frame(Kind.REPLY, NO_CALL, body, b"")
    _, _, _, tree, _ = HEADER.unpack(body[: HEADER.size])
    rest = body[HEADER.size :]
    return Frame(Kind.REPLY, NO_CALL, rest[:tree], bytearray(rest[tree:]))


def values(data: bytes) -> None:
    """Fuzz the decoders of values and of tensors. They read the whole tree, and the parts of it that `_parts` yields."""
    frame = loose(data)
    tree = _json(frame)
    arguments = [torch.arange(6.0).reshape(2, 3), torch.zeros(4, dtype=torch.int64)]
    for part in _parts(tree):
        try:
            value = Decoder(frame.blob).decode(part)
        except WireError:
            pass
        else:
            repr(value)
        try:
            tensor, _ = unpack_result(part, memoryview(frame.blob), arguments)
        except WireError:
            continue
        assert tensor.is_meta or tensor.untyped_storage().nbytes() <= 4 * len(frame.blob) + 64


def _parts(tree: Any) -> Iterator[Any]:
    yield tree
    if isinstance(tree, dict):
        for inner in tree.values():
            yield inner
            yield from inner[:8] if isinstance(inner, list) else ()


def loaded(data: bytes) -> None:
    """Fuzz the report in which a cell says how loading the answer went. Any report must give a verdict and a text of limited
    length.
    """
    found = read_loaded(loose(data))
    verdict, told = found.error.outcome()
    assert verdict
    assert len(told) <= 2 * MAX_TEXT + 100
    json.dumps(told)
    if found.refused is not None:
        verdict, error = found.refused.outcome()
        assert verdict
        assert len(error.message) <= 4 * MAX_TEXT


def reply(data: bytes) -> None:
    """Fuzz a whole conversation of a hidden test with a cell: calls, graphs, modules, callbacks, iterators, observations."""
    which, body = split(data)
    with peer(body) as sock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = Session(sock, CAPS)
        talk = Talk(session)
        for step in CONVERSATIONS[which % len(CONVERSATIONS)](talk):
            COUNT[0] += 1
            try:
                step()
            except DOCUMENTED as error:
                if isinstance(error, WireClosed):
                    return
            except Exception as error:
                if not any(error is known for known in session.callbacks.failures):
                    raise


class Talk:
    """A hidden test that accepts any reply from the cell."""

    def __init__(self, session: Session) -> None:
        self.solution: Any = Solution(session, ENTRIES)
        self.attest = RemoteAttest(session)
        self.x = torch.arange(6.0).reshape(2, 3).requires_grad_()
        self.y = torch.ones(4, dtype=torch.float64)
        self.held: Any = None

    def hold(self, value: Any) -> None:
        self.held = value

    def backward(self) -> None:
        """Compute gradients for an output gradient of zeros, with `create_graph=True`."""
        if isinstance(self.held, torch.Tensor) and self.held.requires_grad and not self.held.is_meta:
            torch.autograd.grad(self.held, [self.x], torch.zeros_like(self.held), allow_unused=True, create_graph=True)


Step = Callable[[], Any]


def _function(t: Talk) -> Iterator[Step]:
    yield lambda: t.hold(t.solution.f(t.x, t.y))
    yield t.backward
    yield lambda: t.solution.f([t.x, 1], {"a": t.y}, flag=None)


def _writing(t: Talk) -> Iterator[Step]:
    items, table = [t.x, 1], {"a": t.y}
    yield lambda: t.hold(t.solution.g(t.y.clone(), items, table, torch.Generator()))
    yield lambda: t.solution.g(t.x.detach(), items)
    yield t.backward


def _objects(t: Talk) -> Iterator[Step]:
    yield lambda: t.hold(t.solution.Thing(3))
    thing = t.held
    if thing is None:
        return
    yield lambda: thing.step(t.x)
    yield lambda: thing.count
    yield lambda: _three(thing._gradus_method("__iter__")())


def _module(t: Talk) -> Iterator[Step]:
    yield lambda: t.hold(t.solution.Net(2))
    net = t.held
    if net is None:
        return
    yield lambda: list(net.parameters())
    yield lambda: t.hold(net(t.x))
    yield t.backward
    yield net.state_dict
    yield lambda: list(net.named_buffers())
    yield lambda: net.training
    yield lambda: net.load_state_dict({"w": t.y})


def _iterator(t: Talk) -> Iterator[Step]:
    yield lambda: _three(t.solution.steps(t.x))


def _three(value: Any) -> None:
    """Take three values from `value` if it is an iterator."""
    if isinstance(value, RemoteIterator):
        for _ in range(3):
            next(value)


def _callback(t: Talk) -> Iterator[Step]:
    yield lambda: t.hold(t.solution.f(t.x, lambda *args, **kwargs: [a * 2 for a in args]))
    yield t.backward
    yield lambda: t.solution.f(lambda *args, **kwargs: None)


def _observed(t: Talk) -> Iterator[Step]:
    yield lambda: t.attest(t.solution.f, t.x)
    yield lambda: t.attest.backward(t.solution.f, t.x)


CONVERSATIONS = (_function, _writing, _objects, _module, _iterator, _callback, _observed)
TARGETS: dict[str, Callable[[bytes], None]] = {"stream": stream, "values": values, "loaded": loaded, "reply": reply}
