"""Checks how the judge reads replies of a hostile cell: whatever the reply is, the judge returns a plain value or raises one of
its own exceptions.
"""

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.contract.wire import Caps, Frame, Kind, receive, send
from grader.inside.cell.arguments import CellState
from grader.inside.cell.operations import perform
from grader.inside.judge.remote.errors import MOST_LINES, BadReply, RemoteError
from grader.inside.judge.remote.session import Session
from grader.inside.judge.remote.solution import Solution
from grader.inside.loading import load_solution, module_from
from grader.inside.serialization.givens import load_given
from grader.testing.comparison.checks import CheckFailed

# The judge issues the warnings that a reply contains. Ignore them here.
pytestmark = pytest.mark.filterwarnings("ignore")
FAST = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
SOURCE = """
import torch

class Line(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(2))

    def forward(self, x):
        return self.w * x

def step(x, items, cache):
    x.mul_(2)
    items.append(x + 1)
    cache["k"] = (x, 1.5, "text")
    return {"y": [x * 3, x.detach().t(), None], "n": 7}

def steps(x):
    yield from x.split(1)
"""
KINDS = {"step": "function", "steps": "function", "Line": "module"}
SIGNATURES = {"step": "step(x, items, cache)", "steps": "steps(x)", "Line": "Line()"}
ENTRIES = [
    {
        "name": name,
        "kind": kind,
        "signature": SIGNATURES[name],
        "methods": [],
        "attributes": ["w"] if name == "Line" else [],
        "returns": "iterator" if name == "steps" else "value",
        "mutates": True,
    }
    for name, kind in KINDS.items()
]
Change = Callable[[Any], Any]


class Altered(Session):
    """A session of the judge with a cell that runs in this process. From reply number `after` on, each reply of the cell passes
    through `change` before the judge receives it.
    """

    def __init__(self, ours: socket.socket, theirs: socket.socket, change: Change, *, after: int) -> None:
        super().__init__(ours, Caps())
        empty = module_from("probes", "", "probes.py")
        solution = load_solution(SOURCE, ENTRIES, ())
        entries = {str(entry["name"]): entry for entry in ENTRIES}
        self._world = CellState(solution, empty, load_given(""), entries, torch.device("cpu"), lambda *_: None)
        self._theirs, self._change, self._after = theirs, change, after

    def _await_reply(self) -> Frame:
        request = receive(self._theirs, caps=Caps(), deadline=None)
        tree, blobs = perform(self._world, request.json(), request.blob)
        honest = json.loads(json.dumps(tree))
        send(self._theirs, Kind.REPLY, self._change(honest) if self.replies >= self._after else honest, blobs)
        return super()._await_reply()


def use(solution: Any) -> None:
    """Make the calls of a hidden test. Together, they use every part of a reply."""
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    items: list[Any] = [1]
    out = solution.step(x * 1, items, {})
    out["y"][0].sum().backward(retain_graph=True)
    torch.autograd.grad(out["y"][0].sum(), x, create_graph=True)
    line = solution.Line()
    line(x).sum().backward()
    line.load_state_dict(line.state_dict())
    assert line.w.shape
    for part in solution.steps(x):
        part.sum().backward()


def attempt(change: Change, after: int) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        use(Solution(Altered(ours, theirs, change, after=after), ENTRIES))


def test_honest_replies_are_taken() -> None:
    attempt(lambda tree: tree, 0)


ODD: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-3, 300)
    | st.sampled_from(
        [2**63, 2**70, -(2**64), 1.5, float("nan"), "", "r", "R", "S", "\ud800", [], {}, [[]], ["S", 0], ["A", 0]]
    )
    | st.sampled_from(
        [["C", 0], ["P", -1, "w"], ["o", 1], ["it", 1], ["x"], ["R"], {"v": ["S", 0]}, [[0, [1]]], [[0, 0, 4]]]
    )
)


def paths(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every node in a JSON tree. A path is a tuple of keys and indices."""
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(found for key, value in inner for found in paths(value, (*path, key)))]


def replaced(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    head, *rest = path
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[head] = replaced(tree[head], tuple(rest), value)
    return copy


@FAST
@given(st.integers(0, 12), st.randoms(use_true_random=False), st.lists(ODD, min_size=1, max_size=3))
def test_changed_replies_are_refused_in_our_own_words(after: int, random: Any, odd: list[Any]) -> None:
    def change(tree: Any) -> Any:
        for value in odd:
            tree = replaced(tree, random.choice(paths(tree)), value)
        return tree

    with_known_errors(change, after)


@FAST
@given(
    st.integers(0, 12),
    st.dictionaries(
        st.sampled_from(
            "ok value record leaves params rewritten changed touched bumped flags grads generators containers states "
            "givens modules tensors warnings rng error unsupported detail dropped".split()
        ),
        ODD,
        min_size=1,
        max_size=4,
    ),
)
def test_forged_parts_are_refused_in_our_own_words(after: int, forged: dict[str, Any]) -> None:
    with_known_errors(lambda tree: {**tree, **forged}, after)


def with_known_errors(change: Change, after: int) -> None:
    try:
        attempt(change, after)
    except (BadReply, RemoteError, CheckFailed):
        return
    except Exception as error:
        # The function `use` acts as a hidden test, and may fail on an unexpected value. The grader's own code, through which it
        # calls the cell, must not fail.
        if "/grader/inside/" in _files(error)[-1]:
            raise


def _files(error: BaseException) -> list[str]:
    places, trace = [], error.__traceback__
    while trace is not None:
        places.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    return places


@pytest.mark.parametrize(
    ("line", "lines", "told"),
    [
        *((3, 40, 3), (40, 40, 40), (41, 40, None), (1, 0, None)),
        *((line, 40, None) for line in (0, -1, True, 2.0, None, "3")),
        *((MOST_LINES, 10**6, MOST_LINES), (MOST_LINES + 1, 10**6, None)),
    ],
)
def test_a_line_that_the_source_does_not_have_is_dropped(line: Any, lines: int, told: int | None) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        session = Session(ours, Caps(), lines=lines)
        send(
            theirs, Kind.REPLY, {"ok": False, "error": {"type": "ValueError", "message": "", "text": "", "line": line}}
        )
        with pytest.raises(RemoteError) as raised:
            Solution(session, ENTRIES).step(1, 2, 3)
    assert raised.value.line == told


@pytest.mark.parametrize(
    "tree", [None, [], 7, {}, {"callback": 5, "args": [], "kwargs": {}}, {"product": 9, "args": []}]
)
def test_a_forged_callback_is_answered_and_then_raised(tree: Any) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        session = Session(ours, Caps())
        send(theirs, Kind.CALLBACK, tree)
        send(theirs, Kind.REPLY, {"ok": True, "value": 1})
        with pytest.raises(BadReply):
            Solution(session, ENTRIES).step(1, 2, 3)
        receive(theirs, caps=Caps(), deadline=None)
        answer = receive(theirs, caps=Caps(), deadline=None)
        assert (answer.kind, answer.json()["ok"]) == (Kind.CALLBACK_REPLY, False)
