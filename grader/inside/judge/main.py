"""Runs the processes of the judge. For each package, the zygote forks a *package parent*. This process loads and collects
tests.py once, then forks a child for each judging, so that no judging has to load the tests again. Only the package parent and
its children have the hidden tests of the package in memory.

Node -> parent: PACKAGE {tests, given, probes, reference, entries}; answer READY {tests: […]} or READY {error}.
Node -> child: START {seed, tests: [ids], device, tolerance_share, frame_bytes, lines}, CALL and RESULT frames from the child,
DONE at the end.
"""

import gc
import os
import socket
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from grader.contract.wire import Caps, Kind, receive, send
from grader.inside.confine import seccomp
from grader.inside.confine.forkserver import ForkServer, fork
from grader.inside.judge.rehearsal import rehearse, session_steps
from grader.inside.judge.remote.attest import RemoteAttest
from grader.inside.judge.remote.session import Session
from grader.inside.judge.remote.solution import Probes, Solution
from grader.inside.judge.suite import Suite
from grader.inside.loading import module_from
from grader.inside.serialization.givens import load_given
from grader.testing.comparison.closeness import set_judging_device
from grader.testing.comparison.tolerance import set_tolerance_share
from grader.testing.derivatives.directions import seed_directions
from grader.testing.plugin import JudgingContext

PACKAGE_CAPS = Caps(tree=32 << 20, blob=0)
START_CAPS = Caps(tree=1 << 20, blob=0)


class PackageParent:
    """One package, with its tests collected and its other files loaded."""

    def __init__(self, package: dict[str, Any], folder: Path) -> None:
        self.entries: list[dict[str, Any]] = package["entries"]
        self.given = load_given(package["given"])
        self.probes = module_from("probes", package["probes"], "probes.py")
        self.reference = module_from("reference", package["reference"], "reference.py")
        self.suite = Suite(package["tests"], folder)

    def judge(self, sock: socket.socket) -> None:
        """Run the tests that the START frame names. `sock` leads to the node, which passes calls on to the answer's process."""
        start = receive(sock, caps=START_CAPS, deadline=None).json()
        session = Session(sock, Caps(tree=8 << 20, blob=start["frame_bytes"]), lines=start["lines"])
        present = JudgingContext(
            solution=Solution(session, self.entries),
            probes=Probes(session, self.probes),
            attest=RemoteAttest(session),
            reference=self.reference,
            given=self.given,
            seed=start["seed"],
            device=start["device"],
        )
        set_judging_device(start["device"])
        set_tolerance_share(start["tolerance_share"])
        seed_directions(start["seed"])
        self.suite.run(start["tests"], present, lambda result: send(sock, Kind.RESULT, result))
        send(sock, Kind.DONE)


def serve_package(sock: socket.socket, *, sealed: bool = True) -> None:
    """Run as a package parent until the node closes the socket."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    if sealed:
        seccomp.install(seccomp.judge_filter())
    package = receive(sock, caps=PACKAGE_CAPS, deadline=None).json()
    folder = Path.cwd()
    try:
        parent = PackageParent(package, folder)
    except BaseException as error:
        send(sock, Kind.READY, {"error": f"{type(error).__name__}: {error}"[:4000]})
        return
    # Without freeze(), a garbage collection in a child would write to every page of the loaded package, and so copy it.
    gc.collect()
    gc.freeze()
    send(sock, Kind.READY, {"tests": parent.suite.describe()})

    def child(fds: list[int]) -> None:
        from grader.inside.confine.confine import reseed

        sock.close()
        own = socket.socket(fileno=fds[0])
        rehearse(chain(_suite_steps([]), session_steps()), own)
        reseed()
        parent.judge(own)

    ForkServer(sock, lambda _, fds: fork(partial(child, fds))).serve()


_TESTS = """
import pytest
import torch
from grader.testing import assert_close, assert_gradcheck, assert_same_gradients, check, sample, points

@sample
@points(2)
@pytest.mark.parametrize("text", ["a"])
def test_values(solution, reference, rng, exhibit, text):
    "A rehearsal."
    x = rng.randn(2, 3)
    assert_close(reference.double(x), x + x)
    exhibit.difference("rehearsal", x, x)

def test_gradients(reference, rng):
    "A rehearsal."
    assert_same_gradients(reference.double, reference.double, [rng.randn(2, 3)])

def test_numerical(reference, rng):
    "A rehearsal."
    assert_gradcheck(reference.double, [rng.randn(2, dtype=torch.float64)])

def test_failing():
    "Fails."
    assert [1, 2] == [1, 3]
"""
_PACKAGE = {
    "entries": [],
    "given": "",
    "probes": "",
    "reference": "def double(x):\n    return 2 * x\n",
    "tests": _TESTS,
}
_rehearsals: list[PackageParent] = []


def warm_up(folder: Path) -> None:
    """Load and run a tiny package in the zygote, so that every module that a judging needs is imported. While a judge's child
    waits for its job, it runs the tests of the same package as a rehearsal.
    """
    _rehearsals.append(PackageParent(_PACKAGE, folder))
    outcomes: list[Any] = []
    rehearse(_suite_steps(outcomes))
    if [outcome["passed"] for outcome in outcomes] != [True, True, True, False]:
        raise RuntimeError(f"the judge's rehearsal went wrong: {outcomes}")
    rehearse(session_steps())


def _suite_steps(outcomes: list[Any]) -> Iterator[None]:
    """Run the tests of the tiny package against the package's own reference. Yields before each test."""
    parent = _rehearsals[0]
    for test in parent.suite.describe():
        yield
        parent.suite.run([test["id"]], JudgingContext(reference=parent.reference, seed=1), outcomes.append)
