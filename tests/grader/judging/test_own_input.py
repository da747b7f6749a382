"""Checks comparisons of an answer with the reference on the candidate's own input, in real cells: what the candidate learns,
what they must not learn, and which inputs are refused.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.content import answers
from grader.content import package as packages
from grader.content.package import Package, load
from grader.contract.job import Judgement, Kind, Limits, Verdict
from grader.judging.workbench import Workbench, a_job

pytestmark = pytest.mark.docker
ROOT = Path(__file__).parents[3]
SECRET = "the reference keeps this to itself"
REFERENCE = f'''
import torch

def f(x, n=1):
    "{SECRET}"
    if n == 2:
        raise KeyError("{SECRET}")
    if n == 3:
        while True:
            x = x * 1
    if n == 4:
        return torch.zeros(1 << 40)
    if n == 5:
        import ctypes
        ctypes.string_at(0)
    if n == 6:
        return [x, (3, "{SECRET}"), {{"{SECRET}": 2.5}}]
    if n == 7:
        return torch.rand(4)
    return 2 * x
'''
TESTS = """
from grader.testing import assert_close, sample
import torch

@sample
def test_doubled(solution):
    x = torch.ones(2)
    assert_close(solution.f(x), 2 * x)

def test_hidden(solution):
    assert_close(solution.f(torch.tensor(81726354.0)), torch.tensor(163452708.0))
"""
RIGHT = "import torch\ndef f(x, n=1):\n    print('here')\n    return torch.rand(4) if n == 7 else x + x\n"


class Comparing:
    """Compares answers with a reference of a made-up challenge, `f`."""

    def __init__(self, bench: Workbench, package: Package) -> None:
        self._bench = bench
        self._package = package

    def __call__(self, source: str, text: str) -> Judgement:
        found = self._bench.judge(a_job(self._package, source, Kind.COMPARE, snippet=text), self._package)
        # Whatever was asked, the judgement must not contain the texts of the reference and of the hidden test.
        told = msgspec.json.encode(found).decode()
        assert SECRET not in told
        assert "81726354" not in told
        assert found.digest == self._package.digest
        return found


@pytest.fixture
def compare(docker_bench: Workbench) -> Comparing:
    template = load(ROOT / "tests" / "attacks" / "package" / "hostile" / "attention")
    entry = packages.Entry("f", "function", "f(x, n=1)")
    limits = Limits(cpu_s_per_call=2.0, cpu_s=4.0, memory_mb=512, output_kb=16, calls=50, frame_mb=64, wire_mb=128)
    tests = (
        packages.TestSpec("test_doubled", "Doubled.", 1, sample=True),
        packages.TestSpec("test_hidden", "Hidden.", 1),
    )
    made = msgspec.structs.replace(
        template,
        digest="made-for-comparisons",
        info=msgspec.structs.replace(template.info, entry=(entry,), limits=limits, forbidden=packages.Forbidden()),
        tests_source=TESTS,
        lock=packages.Lock(tests),
        answers=(answers.Answer("a.py", Verdict.AC, REFERENCE),),
    )
    return Comparing(docker_bench, made)


def facts(found: Judgement) -> dict[str, Any]:
    (test,) = found.tests
    (exhibit,) = test.exhibits
    assert exhibit.kind == "comparison"
    return {"text": exhibit.title, **exhibit.data}


def test_right_answer_matches(compare: Comparing) -> None:
    found = compare(RIGHT, "x = torch.randn(2, 3)\nprint('built')\nf(x)")
    assert found.verdict is Verdict.AC
    assert facts(found)["text"] == "Shape [2, 3], float32: matches the reference, largest difference 0."
    assert found.tests[0].stdout == "built\nhere\n"
    assert found.max_score == 0


def test_same_input_builds_the_same_arguments(compare: Comparing) -> None:
    source = "def f(x, n=1):\n    print(x.tolist())\n    return x\n"
    first, second = (compare(source, "f(torch.randn(5))").tests[0].stdout for _ in range(2))
    assert first == second


def test_wrong_values_give_the_largest_difference_to_two_digits(compare: Comparing) -> None:
    found = compare("def f(x, n=1):\n    return 2 * x + 0.123456\n", "f(torch.zeros(3))")
    assert found.verdict is Verdict.WA
    assert facts(found)["largest"] == 0.12
    assert found.tests[0].message == "Shape [3], float32: differs from the reference, largest difference 0.12."


def test_other_shape(compare: Comparing) -> None:
    found = compare("def f(x, n=1):\n    return x[0]\n", "f(torch.zeros(3, 2))")
    assert facts(found)["text"] == "Shape differs: yours [2], the reference's [3, 2]."
    assert facts(found)["largest"] is None


def test_other_dtype(compare: Comparing) -> None:
    found = compare("def f(x, n=1):\n    return 2 * x.double()\n", "f(torch.zeros(3))")
    assert facts(found)["text"] == "Dtype differs: yours float64, the reference's float32."


def test_not_a_number_in_one_of_them(compare: Comparing) -> None:
    found = compare("def f(x, n=1):\n    return x / 0\n", "f(torch.zeros(3))")
    assert found.verdict is Verdict.WA
    assert facts(found)["largest"] is None


def test_tree_of_results_shows_its_form_only(compare: Comparing) -> None:
    found = compare("def f(x, n=1):\n    return [x, (3, 'a'), {'b': 2}]\n", "f(torch.zeros(2), 6)")
    assert found.verdict is Verdict.WA
    assert "list of 3 (shape [2], float32; tuple of 2 (int; str); dict of 1 (float))" in facts(found)["text"]


def test_answer_that_draws_like_the_reference_matches(compare: Comparing) -> None:
    assert compare(RIGHT, "f(torch.zeros(1), 7)").verdict is Verdict.AC


def test_exception_of_the_answer(compare: Comparing) -> None:
    found = compare("def f(x, n=1):\n    raise ValueError('mine')\n", "f(torch.zeros(3))")
    assert found.verdict is Verdict.RE
    assert "ValueError: mine" in found.tests[0].message
    assert found.tests[0].line == 2
    assert facts(found)["text"] == "Your answer raises ValueError; the reference returns shape [3], float32."


def test_exception_of_the_reference_shows_its_type_only(compare: Comparing) -> None:
    found = compare(RIGHT, "f(torch.zeros(3), 2)")
    assert found.verdict is Verdict.WA
    assert facts(found)["text"] == "The reference raises KeyError; your answer returns a result."


def test_both_raise_the_same(compare: Comparing) -> None:
    found = compare("def f(x, n=1):\n    raise KeyError('mine')\n", "f(torch.zeros(3), 2)")
    assert found.verdict is Verdict.AC
    assert facts(found)["text"] == "Both your answer and the reference raise KeyError."


def test_answer_that_ends_its_process(compare: Comparing) -> None:
    found = compare("import os\ndef f(x, n=1):\n    os._exit(3)\n", "f(1)")
    assert found.verdict is Verdict.RE
    assert not found.tests[0].exhibits


@pytest.mark.parametrize(("n", "text"), [(3, "takes longer than 5 s"), (4, "MemoryError"), (5, "cannot be run")])
def test_reference_that_cannot_cope_is_not_our_fault(compare: Comparing, n: int, text: str) -> None:
    found = compare(RIGHT, f"f(torch.zeros(3), {n})")
    assert found.verdict in (Verdict.RE, Verdict.WA)
    assert text in found.tests[0].message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("x = (\nf(x)", "Line 1 of your input: SyntaxError"),
        ("x = 1\ny = x + z\nf(y)", "Line 2 of your input: NameError: name 'z' is not defined"),
        ("x = 1", "The last line must be a call of the form f(...)"),
        ("", "The last line must be a call of the form f(...)"),
        ("print(f(1))", "Line 1 of your input: The last line must be a call"),
        ("f(lambda: 1)", "An argument is a function. Pass tensors, numbers"),
        ("f(torch.nn.Linear(2, 2))", "An argument is a module"),
        ("f(torch.zeros(30, 1 << 20))", "The arguments have 120 MiB. At most 16 MiB are allowed."),
        ("raise SystemExit\nf(1)", "Line 1 of your input: SystemExit"),
        ("x = []\nx.append(x)\nf(x)", "RecursionError"),
    ],
)
def test_problem_of_the_input(compare: Comparing, given: str, said: str) -> None:
    found = compare(RIGHT, given)
    assert found.verdict is Verdict.RE
    assert said in found.tests[0].message
    assert not found.tests[0].exhibits


READERS = {
    "files": "import pathlib\nprint([p.read_text() for p in pathlib.Path('.').rglob('*.py')])\nf(1)",
    "modules": "import sys\nprint([vars(m) for n, m in sys.modules.items() if n in ('tests', 'reference', 'probes')])\nf(1)",
    "objects": "import gc\nprint([o for o in gc.get_objects() if callable(o) and getattr(o, '__doc__', '')])\nf(1)",
    "memory": "print(open('/proc/self/maps').read(), open('/proc/1/cmdline').read())\nf(1)",
    "import": "import reference\nf(reference.__doc__)",
    "tests": "import tests\nf(tests.test_hidden.__code__.co_consts)",
}


@pytest.mark.parametrize("name", sorted(READERS))
def test_input_that_looks_for_the_reference_finds_nothing(compare: Comparing, name: str) -> None:
    found = compare(RIGHT, READERS[name])
    assert found.verdict is not Verdict.JE


FORGERIES = {
    "no call": "1",
    "a part of a call": "{'name': 'f', 'args': [], 'kwargs': {}}",
    "a hidden function": "{'name': '__class__', 'made': None, 'args': [], 'kwargs': {}}",
    "an unknown function": "{'name': 'g', 'made': None, 'args': [], 'kwargs': {}}",
    "a function as a module": "{'name': 'f', 'made': [[], {}], 'args': [], 'kwargs': {}}",
    "arguments by number": "{'name': 'f', 'made': None, 'args': [], 'kwargs': {1: 2}}",
    "a text": "{'name': 'f', 'made': None, 'args': 'x', 'kwargs': {}}",
}


@pytest.mark.parametrize("name", sorted(FORGERIES))
def test_answer_that_replaces_the_probe_gains_nothing(compare: Comparing, name: str) -> None:
    source = f"import sys\nsys.modules['probes'].arguments = lambda *a: {FORGERIES[name]}\ndef f(x, n=1): return x\n"
    found = compare(source, "f(1)")
    assert found.verdict is Verdict.WA
    assert found.tests[0].message == "the input returned no call"


def test_source_that_does_not_compile(compare: Comparing) -> None:
    found = compare("def f(x, n=1:\n    return x\n", "f(1)")
    assert found.verdict is Verdict.CE
    assert found.compile_error is not None
    assert found.compile_error.line == 1
