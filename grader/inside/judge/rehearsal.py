"""Rehearses a job: while a child waits for its job, it makes tiny calls through every layer that the job will use.

A forked child shares the zygote's memory until it writes to a page; then the kernel copies the page. Changing a reference count
is a write, so the first call copies about two thousand pages. If these pages are copied before the job arrives, a judging takes
a third less time. A rehearsal leaves nothing but these copies behind in the child.
"""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from grader.contract.wire import Caps, Frame, Kind, pending, receive, send, wait_readable
from grader.inside.cell.arguments import CellState
from grader.inside.cell.operations import perform
from grader.inside.judge.remote.calls import RemoteFunction
from grader.inside.judge.remote.session import Session
from grader.inside.loading import load_solution, module_from
from grader.inside.serialization.tensors import SentTensors
from grader.inside.serialization.values import Blobs

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
# Seconds that a child waits for its job before it rehearses. On a busy node the job arrives within this time, and a rehearsal
# would delay it.
IDLE_S = 0.04


def rehearse(steps: Iterator[None], sock: socket.socket | None = None) -> None:
    """Run the steps, unless data arrives on `sock` within IDLE_S seconds. Stops before the next step once data has arrived.
    Without `sock`, runs all steps immediately.
    """
    if sock is not None and wait_readable(sock, IDLE_S):
        return
    for _ in steps:
        if sock is not None and pending(sock):
            break


def cell_steps(*, backward: bool = True) -> Iterator[None]:
    """Do what a job does in the cell: load a source, call it with and without a graph, and, if `backward`, compute a
    vector-Jacobian product. Yields between the steps.
    """
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
    """Make calls and backward passes as the judge does. There is no cell: this process answers its own calls."""
    ours, theirs = socket.socketpair()
    with _modules_restored(), ours, theirs:
        yield
        session = _LoopbackSession(ours, theirs, _world())
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


def _world() -> CellState:
    solution = load_solution(SOURCE, [ENTRY], ())
    empty = module_from("probes", "", "probes.py")
    return CellState(solution, empty, empty, {"step": ENTRY}, torch.device("cpu"), lambda *_: None)


def _call(*, requires_grad: bool) -> tuple[bytearray, dict[str, Any]]:
    blobs = Blobs()
    shipment = SentTensors(blobs)
    args = [shipment.add(torch.randn(2, 3, 4, requires_grad=requires_grad))]
    tree = {"op": "call", "to": ["entry", "step"], "args": args, "storages": shipment.pack(), "ctx": CONTEXT}
    return bytearray(b"".join(bytes(part) for part in blobs.parts)), tree


class _LoopbackSession(Session):
    """A session without a cell: when a reply is awaited, this process itself carries out the request."""

    def __init__(self, ours: socket.socket, theirs: socket.socket, world: CellState) -> None:
        super().__init__(ours, Caps())
        self._theirs = theirs
        self._world = world

    def _await_reply(self) -> Frame:
        request = receive(self._theirs, caps=Caps(), deadline=None)
        reply, blobs = perform(self._world, request.json(), request.blob)
        send(self._theirs, Kind.REPLY, reply, blobs)
        return super()._await_reply()
