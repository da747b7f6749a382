"""Builds the judging of a comparison: a job of the kind `compare` runs the candidate's own input, and compares the answer with
the reference on it.

A comparison is judged like the sample tests, but with a package that is derived from the challenge. This package has the same
reference, entries and limits, and a single test, `in_judge.py`; it contains no hidden test. The input never reaches the judge:
it is appended to the answer's source as a string, and the probe `in_cell.py` runs it in the cell.
"""

from dataclasses import replace as replace_field
from pathlib import Path

from msgspec.structs import replace

from grader.content.own_input.offer import TEST, example_calls_of, modules_of
from grader.content.package import Lock, Package
from grader.contract.job import Job, Kind
from grader.judging.request import JudgingRequest

# The name under which the input is stored in the answer's module.
VARIABLE = "_gradus_own_input"
# The two modules are read, not imported: they import torch, which the node does without.
HERE = Path(__file__).parent
TESTS = (HERE / "in_judge.py").read_text(encoding="utf-8")
PROBES = (HERE / "in_cell.py").read_text(encoding="utf-8") + f"\nVARIABLE = {VARIABLE!r}\n"


def prepared(request: JudgingRequest) -> JudgingRequest:
    """Return the request to judge in place of this one: for a comparison the derived job and package, otherwise the same
    request.
    """
    if request.job.kind is not Kind.COMPARE:
        return request
    return replace_field(request, job=_with_input(request.job), package=_derived(request.package))


def _with_input(job: Job) -> Job:
    """Append the input to the source. Lines of the answer keep their numbers."""
    return replace(job, source=f"{job.source}\n\n{VARIABLE} = {job.snippet!r}\n")


def _derived(package: Package) -> Package:
    modules = [name for name in modules_of(package) if name in example_calls_of(package)]
    functions = [name for name in example_calls_of(package) if name not in modules]
    mutating = [entry.name for entry in package.info.entry if entry.mutates]
    tests = f"{TESTS}\n\nFUNCTIONS += {functions!r}\nMODULES += {modules!r}\nMUTATING += {mutating!r}\n"
    # The judge recognises a loaded package by its digest, so this package needs one of its own.
    digest = f"{package.digest} compare"
    return replace(package, digest=digest, tests_source=tests, probes=PROBES, lock=Lock(tests=(TEST,)))
