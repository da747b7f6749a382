"""Builds the package with which a run of a measurement is judged.

It is derived from the challenge: it has the same entries, reference and memory limit. Its only tests are those of
`in_judge.py`, for the sizes of the plan; its probes are the chain. It contains no hidden test.
"""

import hashlib
from pathlib import Path

import msgspec
from msgspec.structs import replace

from grader.content.package import Lock, Package, TestSpec
from grader.contract.measurement import MeasurementPlan
from grader.judging.slots.parts import with_tests

HERE = Path(__file__).parent
TESTS = (HERE / "in_judge.py").read_text(encoding="utf-8")
OPERATORS = (HERE / "in_cell.py").read_text(encoding="utf-8")
# In an empty chain, the answer does nothing. Its process shows how much memory an idle process needs.
EMPTY_CHAIN = """import torch


def chain(solution, size, steps, seed):
    return torch.zeros(1)
"""


def derived(package: Package, plan: MeasurementPlan) -> Package:
    """Return the package that runs the plan's chain at each of its sizes."""
    sizes = [(each.size, each.steps) for each in plan.sizes]
    probes = f"{plan.chain}\n\n{OPERATORS}"
    tests = f"{TESTS}\n\nSIZES += {sizes!r}\n"
    specs = [TestSpec(name_of(kind, size), kind, 1) for kind in ("chain", "operators") for size, _ in sizes]
    # The judge recognises a loaded package by its digest, so this package needs one of its own.
    mixed = hashlib.sha256(msgspec.json.encode((package.digest, probes, tests))).hexdigest()
    return replace(package, digest=f"measure {mixed}", tests_source=tests, probes=probes, lock=Lock(tuple(specs)))


def only(package: Package, name: str, cpu_s: float) -> Package:
    """Return a copy of a derived package that runs one of its tests. A call may use `cpu_s` seconds of CPU time, and the whole
    run as much again, for loading the answer and for the warm-up.
    """
    limits = replace(package.info.limits, cpu_s_per_call=cpu_s, cpu_s=2 * cpu_s)
    return replace(with_tests(package, [name]), info=replace(package.info, limits=limits))


def name_of(kind: str, size: int) -> str:
    """Return the ID of a test: `kind` is `chain` or `operators`."""
    return f"test_{kind}[{size}]"
