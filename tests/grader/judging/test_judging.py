"""Checks single judgings: budgets, repeated loading, callbacks, seeds, secrecy, and whether a failure counts against the answer
or the grader. Each test makes its own package.
"""

import itertools
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.content import answers
from grader.content import package as packages
from grader.content.package import Package, load
from grader.contract.errors import JudgeLost, PackageError
from grader.contract.job import Judgement, Kind, Limits, Verdict
from grader.judging import judge_turns
from grader.judging.workbench import Workbench, a_job, workbench

pytestmark = pytest.mark.docker
AC, WA, RE, TLE, MLE, OLE = (Verdict(word) for word in "AC WA RE TLE MLE OLE".split())
LIMITS = Limits(cpu_s_per_call=0.5, cpu_s=1.0, memory_mb=192, output_kb=16, calls=50, frame_mb=4, wire_mb=8)
PREAMBLE = "import time\nimport pytest\nimport torch\nfrom grader.testing import assert_close, check, sample\n"
numbers = itertools.count()


@pytest.fixture(scope="module")
def template() -> Package:
    return load(Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention")


class Bench:
    """Judges answers with packages whose tests are given as text."""

    def __init__(self, bench: Workbench, template: Package) -> None:
        self._bench = bench
        self._template = template

    def package(self, tests: str, names: str, **limits: Any) -> Package:
        """Make a package. `names` lists its tests in order. A test whose name begins with `test_sample` is a sample."""
        entry = packages.Entry("f", "function", "f(x)")
        info = msgspec.structs.replace(
            self._template.info, entry=(entry,), limits=msgspec.structs.replace(LIMITS, **limits)
        )
        specs = tuple(packages.TestSpec(n, n, 1, sample=n.startswith("test_sample")) for n in names.split())
        return msgspec.structs.replace(
            self._template,
            digest=f"made-{next(numbers)}",
            info=info,
            tests_source=PREAMBLE + tests,
            lock=packages.Lock(specs),
            answers=(),
        )

    def judge(self, package: Package, source: str, kind: Kind = Kind.SUBMIT, **more: Any) -> Judgement:
        reference = answers.Answer("a.py", AC, "def f(*args):\n    return args[0]\n")
        whole = msgspec.structs.replace(package, answers=(reference,))
        return self._bench.judge(a_job(whole, source, kind, **more), whole)


@pytest.fixture
def bench(docker_bench: Workbench, template: Package) -> Bench:
    return Bench(docker_bench, template)


def verdicts(judgement: Judgement) -> str:
    return " ".join(str(test.verdict) for test in judgement.tests)


THREE = """
def test_a(solution): check(solution.f(1) == 1, "a")
def test_b(solution): check(solution.f(2) == 2, "b")
def test_c(solution): check(solution.f(3) == 3, "c")
"""


def test_memory_of_a_judging_does_not_depend_on_the_judgings_before_it(template: Package) -> None:
    with workbench("docker", slots=1) as slot:
        bench = Bench(slot, template)
        package = bench.package(THREE, "test_a test_b test_c")
        right = "def f(x):\n    return x\n"
        before = [bench.judge(package, right).memory_mb for _ in range(3)]
        hungry = bench.judge(package, "import torch\nx = [torch.ones(1 << 20) for _ in range(100)]\n" + right)
        assert hungry.verdict is MLE, hungry
        after = [bench.judge(package, right).memory_mb for _ in range(3)]
    assert max(before + after) - min(before + after) < 4, (before, after)


def test_child_that_dies_is_forked_again_for_the_next_test(bench: Bench) -> None:
    package = bench.package(THREE, "test_a test_b test_c")
    source = "import os\ndef f(x):\n    if x == 2: os._exit(9)\n    return x\n"
    found = bench.judge(package, source)
    assert verdicts(found) == "AC RE AC"
    assert "exit status 9" in found.tests[1].message


def test_answer_that_loads_only_once_is_told_so_and_does_not_cost_time(bench: Bench) -> None:
    source = """
import os, tempfile
def f(x):
    os._exit(9)
import secrets
if secrets.randbelow(2): raise ValueError("not today")
"""
    package = bench.package(THREE, "test_a test_b test_c")
    seen = set()
    for _ in range(30):
        found = bench.judge(package, source)
        assert found.verdict is RE
        assert found.cpu_s < LIMITS.cpu_s / 2
        seen |= {test.message for test in found.tests}
        if any("not again" in message for message in seen):
            return
    raise AssertionError(seen)


def test_memory_that_ran_out_once_is_not_blamed_on_later_tests(bench: Bench) -> None:
    source = "def f(x):\n    if x == 1:\n        while True: x = [x, bytearray(8 << 20)]\n    return 0\n"
    found = bench.judge(bench.package(THREE, "test_a test_b test_c"), source)
    assert verdicts(found) == "MLE WA WA"


def test_calls_are_counted(bench: Bench) -> None:
    tests = "def test_a(solution):\n    while True: solution.f(1)\ndef test_b(solution): solution.f(1)\n"
    found = bench.judge(bench.package(tests, "test_a test_b"), "def f(x): return x")
    assert verdicts(found) == "TLE TLE"
    assert "more than 50 calls" in found.tests[0].message
    assert found.tests[1].message.startswith("not run: ")


def test_values_are_weighed(bench: Bench) -> None:
    tests = "def test_a(solution):\n    for _ in range(9): solution.f(1)\n"
    source = "import torch\ndef f(x): return torch.zeros(1 << 20, dtype=torch.uint8)\n"
    found = bench.judge(bench.package(tests, "test_a"), source)
    assert found.verdict is OLE
    assert "more than 8 MB of values" in found.tests[0].message


def test_flood_ends_the_judging_and_chatter_does_not(bench: Bench) -> None:
    package = bench.package(THREE, "test_a test_b test_c")
    flood = bench.judge(package, "def f(x):\n    print('y' * 2_000_000)\n    return x\n")
    assert (flood.verdict, verdicts(flood)) == (OLE, "OLE OLE OLE")
    assert bench.judge(package, "def f(x):\n    print('y' * 20_000)\n    return x\n").verdict is AC


CALLING = """
def test_a(solution): check(solution.f(lambda x: x + 1) == 2, "a")
def test_b(solution): check(solution.f(lambda x: 2 * x) == 2, "b")
"""


def test_answer_calls_back_into_the_test(bench: Bench) -> None:
    assert bench.judge(bench.package(CALLING, "test_a test_b"), "def f(x): return x(1)").verdict is AC


def test_calling_back_for_ever_is_bounded(bench: Bench) -> None:
    package = bench.package(CALLING, "test_a test_b")
    found = bench.judge(package, "def f(x):\n    while True: x(1)\n")
    assert found.verdict is TLE
    assert "calls" in found.tests[0].message
    slow = bench.judge(package, "import time\ndef f(x):\n    while True:\n        time.sleep(0.9)\n        x(1)\n")
    assert slow.verdict is TLE
    assert slow.cpu_s < LIMITS.cpu_s, "it has slept: the clock has ended it"


def test_callback_that_fails_comes_out_as_itself_and_says_nothing(bench: Bench) -> None:
    tests = """
def boom(x): raise KeyError("secret of the test")
def test_a(solution):
    with pytest.raises(KeyError): solution.f(boom)
def test_b(solution): solution.f(boom)
"""
    found = bench.judge(bench.package(tests, "test_a test_b"), "def f(x): return x(1)")
    assert verdicts(found) == "AC WA"
    assert "secret" not in str(found)


def test_skipped_expected_and_missing_tests_are_no_passes(bench: Bench) -> None:
    tests = """
def test_a(solution): pytest.skip("later")
def test_b(solution): pytest.xfail("known")
def test_end(solution): pytest.exit("bye", returncode=0)
"""
    found = bench.judge(bench.package(tests, "test_a test_b"), "def f(x): return x")
    assert AC not in {test.verdict for test in found.tests}
    for mark in ("skip(reason='never')", "skipif(True, reason='never')", "xfail(reason='known')"):
        with pytest.raises(PackageError, match="not found in `markers`"):
            bench.judge(
                bench.package(f"@pytest.mark.{mark}\ndef test_a(solution): pass\n", "test_a"), "def f(x): return x"
            )
    with pytest.raises(JudgeLost, match="exit status"):
        bench.judge(bench.package(tests, "test_a test_end"), "def f(x): return x")
    with pytest.raises(JudgeLost, match="test_gone"):
        bench.judge(bench.package(tests, "test_a test_gone"), "def f(x): return x")


def test_package_that_cannot_be_collected_is_not_the_candidates_fault(bench: Bench) -> None:
    with pytest.raises(PackageError, match="cannot be collected"):
        bench.judge(bench.package("def test_a(:", "test_a"), "def f(x): return x")


def test_judge_stuck_over_an_answer_blames_the_answer(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_turns, "STUCK_S", 0.5)
    tests = "def test_a(solution):\n    solution.f(1)\n    time.sleep(60)\ndef test_b(solution): pass\n"
    found = bench.judge(bench.package(tests, "test_a test_b"), "def f(x): return x")
    assert verdicts(found) == "RE RE"
    assert "in time" in found.tests[0].message


def test_judge_stuck_by_itself_is_ours(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_turns, "STUCK_S", 0.5)
    with pytest.raises(JudgeLost, match="stuck"):
        bench.judge(bench.package("def test_a(solution): time.sleep(60)\n", "test_a"), "def f(x): return x")


def test_run_shows_output_of_samples_and_submit_hides_that_of_hidden_tests(bench: Bench) -> None:
    tests = """
@sample
def test_sample(solution): solution.f("shown")
def test_hidden(solution): solution.f("secret")
"""
    package = bench.package(tests, "test_sample test_hidden")
    source = "def f(x):\n    print('got', x)\n    raise ValueError(x)\n"
    whole = bench.judge(package, source)
    assert "got shown" in whole.tests[0].stdout
    assert "ValueError: shown" in whole.tests[0].message
    assert whole.tests[1].message == "ValueError in line 3 of your code"
    assert "secret" not in str(whole)
    assert [test.id for test in bench.judge(package, source, Kind.RUN).tests] == ["test_sample"]


def test_output_of_a_hidden_test_that_ends_the_judging_stays_hidden(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_turns, "STUCK_S", 0.5)
    tests = "def test_a(solution):\n    solution.f('secret')\n    time.sleep(60)\n"
    found = bench.judge(bench.package(tests, "test_a"), "def f(x):\n    print(x, flush=True)\n    return 1\n")
    assert found.verdict is RE
    assert "secret" not in str(found)


def test_output_while_loading_is_shown_when_loading_fails(bench: Bench) -> None:
    found = bench.judge(bench.package(THREE, "test_a test_b test_c"), "print('so far')\nraise ValueError('no')\n")
    assert found.output == "so far\n"
    assert found.message == "ValueError: no\nline 2, in <module>: raise ValueError('no')"


def test_inputs_are_those_of_the_seed_that_the_job_carries(bench: Bench) -> None:
    told = "def test_sample(solution, rng):\n    check(False, str(rng.integer(0, 1 << 40)))\n"
    package = bench.package(told, "test_sample")

    def drawn(seed: int) -> tuple[int, str]:
        judgement = bench.judge(package, "def f(x): return x", seed=seed)
        return judgement.seed, judgement.tests[0].message

    biggest = 2**63 - 1
    first, again, other, last = drawn(99), drawn(99), drawn(100), drawn(biggest)
    assert first == again
    assert (first[0], other[0], last[0]) == (99, 100, biggest)
    assert len({first[1], other[1], last[1]}) == 3


def test_scratch_runs_the_snippet_without_the_judge(bench: Bench) -> None:
    package = bench.package(THREE, "test_a test_b test_c")
    found = bench.judge(package, "def f(x): return x + 1", Kind.SCRATCH, snippet="print('hello')\nf(41)")
    assert (found.verdict, found.output, found.tests) == (None, "hello\n42\n", ())
    broken = bench.judge(package, "def f(x): return x + 1", Kind.SCRATCH, snippet="f(None)")
    assert broken.verdict is RE
    assert "TypeError" in broken.message
    endless = bench.judge(package, "def f(x): return x", Kind.SCRATCH, snippet="while True: pass")
    assert endless.verdict is TLE


def test_a_compiler_is_loaded_only_by_an_answer_that_compiles(bench: Bench) -> None:
    """See deploy/grader/patch_torch.py."""
    package = bench.package(THREE, "test_a test_b test_c", cpu_s=20.0, cpu_s_per_call=20.0, memory_mb=768)
    step = "w = torch.ones(2, requires_grad=True)\nf(w).sum().backward()\ntorch.optim.SGD([w]).step()\n"
    compiled = "print(torch.compile(f, backend='eager')(w).shape)\n"
    loaded = "print('torch._dynamo' in sys.modules)\n"
    source = "import sys\nimport torch\ndef f(x): return x + 1"
    found = bench.judge(package, source, Kind.SCRATCH, snippet=step + loaded + compiled + loaded)
    assert found.output == "False\ntorch.Size([2])\nTrue\n"


def test_job_of_an_unreadable_source_never_reaches_a_cell(bench: Bench) -> None:
    found = bench.judge(bench.package(THREE, "test_a test_b test_c"), "x = '\ud800'")
    assert found.verdict is Verdict.CE
    assert "not text" in found.message
