"""Checks that the node reads no more of a frame from a judge than it would forward to a cell, because the hidden tests in a
judge can be hostile.
"""

import tracemalloc
from pathlib import Path

import msgspec
import pytest

from grader.content.package import Lock, Package, load
from grader.contract.job import Limits, Verdict
from grader.gate.lock import collected
from grader.judging.workbench import Workbench, a_job

TOML = """
title = "Frames"
summary = "Tests that send more than they may."
section = "kit"
difficulty = "easy"
topics = ["kit"]
minutes = 1
why = "A test of the node."
skill = "None."
hints = ["none"]

[[entry]]
name = "f"
kind = "function"
signature = "f(x)"
"""
HOSTILE = '''
import socket
import struct

from grader.testing import check


def test_sends_a_gibibyte(solution):
    """Announces one call of a gibibyte, and sends it."""
    sock = vars(solution)["f"]._gradus_session._sock
    sock.setblocking(True)
    sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 3, bytes(16), 2, 1 << 30) + b"{}")
    for _ in range(1024):
        sock.sendall(bytes(1 << 20))
    check(False, "all of it was taken")
'''
MANY = '''
import torch

from grader.testing import check


def test_sends_too_much_in_all(solution):
    """Twenty calls of a mebibyte."""
    for _ in range(20):
        check(solution.f(torch.zeros(1 << 20, dtype=torch.uint8)) == 1, "not 1")
'''


def package_of(tests: str, root: Path, bench: Workbench, limits: Limits) -> Package:
    folder = root / "kit" / "frames"
    (folder / "submissions" / "accepted").mkdir(parents=True)
    (folder / "challenge.toml").write_text(TOML)
    (folder / "tests.py").write_text(tests)
    for name in ("statement.md", "starter.py", "editorial.md"):
        (folder / name).write_text("# nothing\n")
    (folder / "submissions" / "accepted" / "a.py").write_text("def f(x):\n    return 1\n")
    package = load(folder, locked=False)
    info = msgspec.structs.replace(package.info, limits=limits)
    return msgspec.structs.replace(package, info=info, lock=Lock(collected(bench, package)))


@pytest.mark.parametrize(
    ("tests", "limits", "said"),
    [
        (HOSTILE, Limits(frame_mb=4), "a call was given more than 4 MB of values at once"),
        (HOSTILE, Limits(frame_mb=64, wire_mb=2), "more than 2 MB of values in one judging"),
        (MANY, Limits(frame_mb=4, wire_mb=8), "more than 8 MB of values in one judging"),
    ],
    ids=["over the frame", "over the budget", "in all"],
)
def test_no_frame_is_read_that_would_not_be_handed_on(
    tests: str, limits: Limits, said: str, tmp_path: Path, process_bench: Workbench
) -> None:
    package = package_of(tests, tmp_path, process_bench, limits)
    tracemalloc.start()
    try:
        judgement = process_bench.judge(a_job(package, package.reference), package)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (judgement.verdict, judgement.tests[0].message) == (Verdict.OLE, said)
    assert most < 40 << 20
