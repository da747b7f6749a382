"""Checks the message of a test that expects one exception when the answer raises another. The message must name both
exceptions, wherever the answer raises: in a function, a constructor, a method, an attribute, a forward or backward pass, the
step of an iterator, or a probe.
"""

import itertools

import msgspec
import pytest

from grader.content import package as packages
from grader.content.answers import Answer
from grader.content.package import Entry, Lock, Package
from grader.contract.job import Judgement, Limits, Verdict
from grader.judging.workbench import Workbench, a_job
from grader.node import selftest

numbers = itertools.count()
ENTRIES = (
    Entry("f", "function", "f(x)"),
    Entry("steps", "function", "steps(x)", returns="iterator"),
    Entry("Thing", "class", "Thing(x)", methods=("step", "__len__"), attributes=("held",)),
    Entry("Net", "module", "Net(x)"),
    Entry("Square", "autograd_function", "Square(x)"),
)
REFERENCE = """
import torch

def f(x):
    return x(1) if callable(x) else fail(x)

def steps(x):
    yield x
    fail(x)

class Thing:
    def __init__(self, x):
        x == "made" and fail(x)

    def step(self, x):
        fail(x)

    def __len__(self):
        fail(self)

    @property
    def held(self):
        fail(self)

class Net(torch.nn.Module):
    def __init__(self, x):
        super().__init__()
        x == "made" and fail(x)

    def forward(self, x):
        fail(x)

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, grad):
        fail(grad)

def fail(x):
    raise {error}
"""
LINE = REFERENCE.splitlines().index("    raise {error}") + 1
CALLS = {
    "function": "solution.f(1)",
    "iterator": "list(solution.steps(1))",
    "constructor": "solution.Thing('made')",
    "method": "solution.Thing(1).step(1)",
    "dunder": "len(solution.Thing(1))",
    "attribute": "solution.Thing(1).held",
    "module": "solution.Net('made')",
    "forward": "solution.Net(1)(torch.ones(2))",
    "forward-of-train": "solution.Net(1).train()(torch.ones(2))",
    "backward": "solution.Square.apply(torch.ones(2, requires_grad=True)).sum().backward()",
    "grad": "torch.autograd.grad(solution.Square.apply(x := torch.ones(2, requires_grad=True)).sum(), x)",
    "probe": "probes.drive(1)",
    "helper": "assert_gradcheck(solution.Square.apply, [torch.ones(2, dtype=torch.float64)])",
}
FORMS = {
    "with": "    with pytest.raises({expected}):\n        {call}\n",
    "called": "    pytest.raises({expected}, lambda: {call})\n",
    "within": "    with torch.enable_grad(), pytest.raises({expected}, match='no'):\n        while True:\n            {call}\n",
}
HEAD = "import pytest\nimport torch\nfrom grader.testing import assert_gradcheck, sample\n"


def made(tests: str, names: list[str]) -> Package:
    """Make a package with the tests `names`. A test whose name ends with `sample` is a sample."""
    specs = tuple(packages.TestSpec(name, name, 1, sample=name.endswith("sample")) for name in names)
    return msgspec.structs.replace(
        selftest.PACKAGE,
        digest=f"expected-{next(numbers)}",
        info=msgspec.structs.replace(selftest.PACKAGE.info, entry=ENTRIES, limits=Limits(cpu_s=10.0)),
        probes="def drive(solution, x):\n    return solution.f(x)\n",
        tests_source=HEAD + tests,
        lock=Lock(specs),
        answers=(Answer("a.py", Verdict.AC, REFERENCE.format(error="ValueError('no')")),),
    )


def judged(bench: Workbench, whole: Package, error: str) -> Judgement:
    return bench.judge(a_job(whole, REFERENCE.format(error=error)), whole)


@pytest.mark.parametrize("form", FORMS)
def test_both_exceptions_are_named_wherever_the_answer_raised(process_bench: Workbench, form: str) -> None:
    names = [f"test_{way.replace('-', '_')}{end}" for way in CALLS for end in ("", "_sample")]
    tests = "".join(
        f"{'@sample' if name.endswith('sample') else ''}\ndef {name}(solution, probes):\n"
        + FORMS[form].format(expected="ValueError", call=call)
        for name, call in zip(names, [call for call in CALLS.values() for _ in "ab"], strict=True)
    )
    whole = made(tests, names)
    right = judged(process_bench, whole, "ValueError('no')")
    assert {test.id: test.message for test in right.tests if test.verdict is not Verdict.AC} == {}
    hidden = f"expected ValueError; your code raised TypeError in line {LINE}"
    sample = f"expected ValueError; your code raised TypeError: secret\nline {LINE}, in fail: raise TypeError('secret')"
    found = judged(process_bench, whole, "TypeError('secret')")
    told = {test.id: test.message for test in found.tests}
    assert {n: m for n, m in told.items() if not n.endswith("sample")} == {
        n: hidden for n in names if not n.endswith("sample")
    }
    # Only the first and the last line are compared: the frames between them depend on where the answer raised the exception.
    first, last = sample.split("\n")
    assert all(m.startswith(first) and m.endswith(last) for n, m in told.items() if n.endswith("sample")), told
    assert {test.verdict for test in found.tests} == {Verdict.RE}
    assert {test.line for test in found.tests} == {LINE}


def test_several_expected_exceptions_are_all_named_and_the_innermost_alone(process_bench: Workbench) -> None:
    tests = """
def test_two(solution):
    with pytest.raises((KeyError, IndexError)):
        solution.f(1)
def test_inner(solution):
    with pytest.raises(KeyError), pytest.raises(ValueError):
        solution.f(1)
def test_no_line(solution):
    with pytest.raises(ValueError):
        solution.f(1, 2, 3)
def test_before(solution):
    solution.f(1)
    with pytest.raises(ValueError):
        pass
"""
    whole = made(tests, ["test_two", "test_inner", "test_no_line", "test_before"])
    found = judged(process_bench, whole, "TypeError('secret')")
    assert [test.message for test in found.tests] == [
        f"expected KeyError or IndexError; your code raised TypeError in line {LINE}",
        f"expected ValueError; your code raised TypeError in line {LINE}",
        "expected ValueError; your code raised TypeError when f was called",
        f"TypeError in line {LINE} of your code",
    ]
