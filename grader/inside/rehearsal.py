"""A child that waits ahead of its job rehearses: one tiny call through every layer it will use.

A forked child copies each page of the zygote that it writes to (a reference count is a write), some two thousand pages for a
first call. Paid while nobody waits, this takes a third off a judging. Nothing of a rehearsal is left in the child.
"""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from grader.inside.calls import World
from grader.inside.loading import load_solution, module_from
from grader.inside.operations import perform
from grader.inside.remote_calls import RemoteFunction
from grader.inside.session import Session
from grader.inside.tensors import Shipment
from grader.inside.values import Encoder
from grader.wire import Caps, Frame, Kind, pending, receive, send, wait_readable

ENTRY: dict[str, Any] = {
    "name": "step",
    "kind": "function",
    "signature": "step(x, y=None)",
    "methods": (),
    "attributes": (),
    "returns": "value",
}
SOURCE = """
import math
import torch
from torch import nn
import torch.nn.functional as F


def step(x, y=None):
    scores = x @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    return scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf).softmax(-1) @ x
"""
ROUNDS = 2
# On a busy node the job comes at once: a rehearsal would only take time from it.
IDLE_S = 0.04


def rehearse(steps: Iterator[None], sock: socket.socket | None = None) -> None:
    """Take the steps once nothing has come for a moment, and stop between two of them as soon as the job is there."""
    if sock is not None and wait_readable(sock, IDLE_S):
        return
    for _ in steps:
        if sock is not None and pending(sock):
            break


def cell_steps(*, backward: bool = True) -> Iterator[None]:
    """Load a source, call it with and without a graph, and, if it may go `backward`, ask for a product, as a job will."""
    with _modules_restored():
        yield
        world = _world()
        for _ in range(ROUNDS):
            yield
            blob, tree = _call(requires_grad=True)
            reply, _ = perform(world, tree, blob)
            yield
            blob, encoded = _call(requires_grad=False)
            if backward:
                product = {"op": "product", "record": reply["record"], "wants": [True], **PRODUCT}
                cotangent = {name: encoded[name] for name in ("args", "storages", "ctx")}
                perform(world, {**product, **cotangent}, blob)


def session_steps() -> Iterator[None]:
    """A call of the judge's side, answered by a cell's side in this same process, with its backward pass."""
    ours, theirs = socket.socketpair()
    with _modules_restored(), ours, theirs:
        yield
        session = _Answered(ours, theirs, _world())
        for _ in range(ROUNDS):
            yield
            x = torch.randn(2, 3, 4, requires_grad=True)
            RemoteFunction(session, ["entry", "step"])(x).sum().backward()


@contextmanager
def _modules_restored() -> Iterator[None]:
    kept = {name: sys.modules.get(name) for name in ("solution", "probes", "given")}
    try:
        yield
    finally:
        for name, module in kept.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


PRODUCT = {"create_graph": False, "retain_graph": True, "stale": []}
SEEDS = {"torch": 1, "random": 1, "numpy": 1}
CONTEXT = {"grad": True, "inference": False, "autocast": None, "dtype": "float32", "seeds": SEEDS}


def _world() -> World:
    solution = load_solution(SOURCE, [ENTRY], ())
    empty = module_from("probes", "", "probes.py")
    return World(solution, empty, empty, {"step": ENTRY}, torch.device("cpu"), lambda *_: None)


def _call(*, requires_grad: bool) -> tuple[bytearray, dict[str, Any]]:
    encoder = Encoder(lambda value: shipment.add(value) if isinstance(value, torch.Tensor) else NotImplemented)
    shipment = Shipment(encoder.blobs)
    args = [encoder.encode(torch.randn(2, 3, 4, requires_grad=requires_grad))]
    tree = {"op": "call", "to": ["entry", "step"], "args": args, "storages": shipment.table, "ctx": CONTEXT}
    return bytearray(b"".join(bytes(part) for part in encoder.blobs.parts)), tree


class _Answered(Session):
    """A session whose cell is this process: each request is carried out when its reply is awaited."""

    def __init__(self, ours: socket.socket, theirs: socket.socket, world: World) -> None:
        super().__init__(ours, Caps())
        self._theirs = theirs
        self._world = world

    def _await_reply(self) -> Frame:
        request = receive(self._theirs, caps=Caps(), deadline=None)
        reply, blobs = perform(self._world, request.json(), request.blob)
        send(self._theirs, Kind.REPLY, reply, blobs)
        return super()._await_reply()
