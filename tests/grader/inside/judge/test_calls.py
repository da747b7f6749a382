"""Checks what a call into the cell leaves behind in the judge and in the cell, and how many calls a module takes. The cell runs
in this process.
"""

import gc
import random
import socket
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from grader.contract.wire import Caps, Frame, Kind, receive, send
from grader.inside.cell.arguments import CellState
from grader.inside.cell.operations import perform
from grader.inside.judge.remote.session import Session
from grader.inside.judge.remote.solution import Solution
from grader.inside.loading import module_from
from grader.inside.serialization.context import DrawDetector, capture

SOURCE = """
from torch import nn

def double(x, items):
    return 2 * x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        return self.linear(x)
"""
BLOCK = 624  # as many words of 32 bits are in the state of each generator
DECLARED = {"signature": "", "methods": (), "attributes": (), "returns": "value"}
ENTRIES: list[dict[str, Any]] = [
    {"name": "double", "kind": "function", **DECLARED},
    {"name": "Net", "kind": "module", **DECLARED},
]


class Loopback(Session):
    """A session whose requests are carried out in this process. `operations` lists them."""

    def __init__(self) -> None:
        ours, self.theirs = socket.socketpair()
        super().__init__(ours, Caps())
        empty = module_from("probes", "", "probes.py")
        solution = module_from("solution", SOURCE, "solution.py")
        entries = {entry["name"]: entry for entry in ENTRIES}
        self.world = CellState(solution, empty, empty, entries, torch.device("cpu"), lambda *_: None)
        self.operations: list[str] = []

    def _await_reply(self) -> Frame:
        request = receive(self.theirs, caps=Caps(), deadline=None)
        self.operations.append(request.json()["op"])
        reply, blobs = perform(self.world, request.json(), request.blob)
        send(self.theirs, Kind.REPLY, reply, blobs)
        return super()._await_reply()

    def close(self) -> None:
        self._sock.close()
        self.theirs.close()


@pytest.fixture
def session() -> Iterator[Loopback]:
    session = Loopback()
    yield session
    session.close()


@pytest.fixture
def solution(session: Loopback) -> Any:
    return Solution(session, ENTRIES)


@pytest.fixture
def no_garbage_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_garbage_collector")
def test_a_module_leaves_the_cell_with_the_test_that_used_it(session: Loopback, solution: Any) -> None:
    x = torch.ones(1, 2)
    for _ in range(5):
        solution.Net()(x).sum().backward()
    solution.double(x, [])
    assert len(session.world.objects) == 0
    assert len(session.world.known) == 0


@pytest.mark.usefixtures("no_garbage_collector")
def test_a_graph_is_released_with_the_result(session: Loopback, solution: Any) -> None:
    x = torch.ones(1, 2, requires_grad=True)
    for _ in range(5):
        solution.double(x, [[x]]).sum().backward()
    solution.double(x.detach(), [])
    assert len(session.world.records._records) == 0


def test_a_module_has_its_parameters_without_a_further_call(session: Loopback, solution: Any) -> None:
    net = solution.Net()
    names = [name for name, _ in net.named_parameters()]
    net(torch.ones(1, 2))
    assert names == ["linear.weight", "linear.bias"]
    assert session.operations == ["call", "call"]
    own: nn.Module = session.world.objects[net._gradus_number]
    assert all(torch.equal(mirror, own.get_parameter(name)) for name, mirror in net.named_parameters())


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (lambda: None, []),
        (lambda: torch.rand(1), ["torch"]),
        (lambda: torch.randn(1), ["torch"]),
        (lambda: torch.randint(0, 2, (BLOCK,), dtype=torch.int32), ["torch"]),
        (lambda: torch.manual_seed(3), []),
        (random.random, ["random"]),
        (lambda: [random.getrandbits(32) for _ in range(BLOCK)], ["random"]),
        (lambda: random.gauss(0, 1), ["random"]),
        (lambda: random.shuffle([1, 2]), ["random"]),
        (np.random.normal, ["numpy"]),
        (lambda: np.random.bytes(4 * BLOCK), ["numpy"]),
        (lambda: random.setstate(random.getstate()), []),
    ],
)
def test_a_draw_is_seen_in_the_state_of_its_generator(use: Any, expected: list[str]) -> None:
    for _ in range(2):  # the second time, the generators may be where the first has left them
        drawn = DrawDetector({"torch": 3, "random": 4, "numpy": 5})
        use()
        assert drawn.names() == expected


def test_the_same_seeds_give_the_same_numbers_whatever_happened_in_between() -> None:
    found = []
    for between in (lambda: None, lambda: torch.rand(1), lambda: random.gauss(0, 1), np.random.normal, lambda: None):
        DrawDetector({"torch": 3, "random": 4, "numpy": 5})
        found.append([torch.rand(1).item(), random.random(), np.random.rand()])
        DrawDetector({"torch": 3, "random": 4, "numpy": 5})
        between()
    assert found == found[:1] * 5


@pytest.mark.parametrize(
    ("library", "draw"), [("torch", lambda: torch.rand(1)), ("random", random.random), ("numpy", np.random.rand)]
)
def test_each_draw_of_the_judge_gives_the_next_call_another_seed(library: str, draw: Any) -> None:
    found = []
    for _ in range(4):  # the first draw may compute all words anew; later ones only move the position
        found.append(capture(b"secret")["seeds"][library])
        draw()
    assert len(set(found)) == 4


def test_a_normal_sample_that_waits_in_the_generator_is_part_of_its_state() -> None:
    states = []
    for _ in range(3):  # torch draws normal samples in pairs: the second call takes the sample that the first has left
        states.append(capture(b"secret")["seeds"]["torch"])
        torch.randn(1)
    assert len(set(states)) == 3
