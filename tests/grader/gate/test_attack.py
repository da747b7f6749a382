"""Runs the gate in Docker cells on packages with weak tests. The gate must report the wrong answers that these tests accept."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grader.content.authoring.gate_toml import GateToml, Survivor
from grader.content.authoring.saboteurs import SABOTEURS
from grader.content.package import Package
from grader.contract.job import Verdict
from grader.gate.claims import judge_answers
from grader.gate.examine import examine
from grader.gate.mutation import trials
from grader.gate.mutation.trials import MutationTrials, unexcused_survivors, unneeded_reasons
from grader.gate.report.record import MutantResult, SaboteurResult
from grader.gate.trials.run import Trial, judge_trials
from grader.judging.workbench import Workbench
from tests.grader.gate.conftest import REFERENCE, write_folder

pytestmark = pytest.mark.docker
HEAD = "import pytest\nimport torch\nfrom grader.testing import assert_close, assert_same_gradients\n"
# These tests compare only values, after converting the result to the dtype of the input.
WEAK = f'''{HEAD}

def test_values(solution, rng):
    """Values are twice the input, plus the shift."""
    x = rng.randn(3, 2)
    assert torch.allclose(solution.double(x).to(x.dtype), 2 * x)
    assert torch.allclose(solution.double(x, 1.0).to(x.dtype), 2 * x + 1)


def test_errors(solution):
    """A scalar is refused with ValueError."""
    with pytest.raises(ValueError):
        solution.double(torch.tensor(1.0))
'''
STRONG = f'''{WEAK}

def test_dtype_and_shape(solution, rng):
    """Shape and dtype are the input's."""
    for dtype in (torch.float32, torch.float64):
        x = rng.randn(3, 2, dtype=dtype) * 1e5
        assert_close(solution.double(x), 2 * x)


def test_gradients(solution, reference, rng):
    """The gradient of every input is two everywhere."""
    assert_same_gradients(solution.double, reference.double, [rng.randn(2, 2, dtype=torch.float64)])
'''
TESTS = "test_values test_errors"


SOME = "float64-output detached-output halved-gradient nan-swallowed reseeded off-by-one clamped-output zeros no-error"


@pytest.fixture(autouse=True)
def _some_saboteurs(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [saboteur for saboteur in SABOTEURS if saboteur.id in SOME.split()]
    monkeypatch.setattr(trials, "fitting", lambda package: some)


def ends(bench: Workbench, package: Package, why: GateToml | None = None) -> dict[str, SaboteurResult]:
    return {item.id: item for item in MutationTrials(bench, package, 0.2).saboteurs(why or GateToml())}


def test_tests_that_ignore_the_dtype_let_the_float64_saboteur_through(docker_bench: Workbench, make: Any) -> None:
    found = ends(docker_bench, make(WEAK, tests=TESTS))
    survived = {name for name, item in found.items() if item.end == "survived"}
    assert survived == {"float64-output"}
    assert [f.text for f in unexcused_survivors((found["float64-output"],))] == [
        "accepts the saboteur float64-output: floating-point results are float64"
    ]
    # These saboteurs (ways to break the reference) have no effect in this challenge, because no input requires a gradient, and
    # no value is an integer, random, large or NaN.
    for name in ("nan-swallowed", "reseeded", "off-by-one", "clamped-output", "halved-gradient"):
        assert found[name].end == "idle", name
    assert found["zeros"] == SaboteurResult("zeros", found["zeros"].text, "rejected", "test_values")
    assert found["no-error"].by == "test_errors"


def test_tests_that_look_at_it_reject_it(docker_bench: Workbench, make: Any) -> None:
    found = ends(docker_bench, make(STRONG, tests=f"{TESTS} test_dtype_and_shape test_gradients"))
    assert [name for name, item in found.items() if item.end == "survived"] == []
    assert found["float64-output"].by == "test_dtype_and_shape"
    assert found["halved-gradient"].by == "test_gradients"
    assert found["clamped-output"].end == "rejected"


def test_a_reason_excuses_and_a_needless_one_is_found(docker_bench: Workbench, make: Any) -> None:
    why = GateToml(
        (Survivor("any dtype will do here", "float64-output"), Survivor("zeros are fine, who cares", "zeros"))
    )
    found = ends(docker_bench, make(WEAK, tests=TESTS), why)
    assert (found["float64-output"].end, found["float64-output"].by) == ("excused", "any dtype will do here")
    assert [f.text for f in unneeded_reasons(why, tuple(found.values()), ())] == [
        "gives a reason for zeros, which is rejected by test_values: remove it"
    ]


def test_mutants_that_no_test_sees_live(docker_bench: Workbench, make: Any) -> None:
    only_values = WEAK.partition("\n\ndef test_errors")[0] + "\n"
    trial = MutationTrials(docker_bench, make(only_values, tests="test_values"), 0.2)
    found = trial.mutants(GateToml())
    by_end: dict[str, list[MutantResult]] = {}
    for item in found:
        by_end.setdefault(item.end, []).append(item)
    assert any("x - x" in item.diff for item in by_end["killed"])
    assert all("x.dim()" in item.diff or "raise" in item.diff for item in by_end["survived"])
    assert by_end["survived"]
    assert trial.findings == []


def test_the_test_that_rejected_most_comes_first(make: Any) -> None:
    package = make(STRONG, tests=f"{TESTS} test_dtype_and_shape test_gradients")
    rejections = Counter({"test_gradients": 5, "test_errors": 2, "loading": 9})
    sharp = trials.sharpest_first(package, rejections)
    names = [test.id for test in sharp.lock.tests]
    assert names == ["test_gradients", "test_errors", "test_values", "test_dtype_and_shape"]


def test_an_endless_mutant_ends_soon(docker_bench: Workbench, make: Any) -> None:
    reference = "def double(x, shift=0.0):\n    n = 0\n    while n < 2:\n        n += 1\n    return x * n + shift\n"
    trial = MutationTrials(docker_bench, make(WEAK, reference=reference, tests="test_values"), 0.05)
    found = {item.diff.splitlines()[-1].strip("+ "): item.end for item in trial.mutants(GateToml())}
    assert found["n -= 1"] == "killed"


def test_what_cannot_be_put_around_the_reference_is_our_finding(docker_bench: Workbench, make: Any) -> None:
    reference = "import sys\n\n\ndef double(x, shift=0.0):\n    return x + x + shift\n\n\nglobals = None\n"
    trial = MutationTrials(docker_bench, make(WEAK, reference=reference, tests="test_values"), 0.2)
    trial.saboteurs(GateToml())
    assert "cannot wrap the reference" in trial.findings[0].text


WITH_A_BACKWARD_PASS = """
import torch

backwards = []


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        backwards.append(gradient)
        return gradient * 2


def double(x, shift=0.0):
    if backwards:
        raise RuntimeError("called after a backward pass")
    return Twice.apply(x) + shift
"""
FORWARD_ONLY = f'''{HEAD}

def test_two_calls(solution, rng):
    """Two calls that no backward pass follows."""
    x = rng.randn(2).requires_grad_()
    for _ in range(2):
        assert_close(solution.double(x), 2 * x)
'''


def test_error_that_only_watching_causes_is_not_noticed(
    docker_bench: Workbench, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A saboteur that watches gradients runs a backward pass, after which this reference raises an error."""
    some = [saboteur for saboteur in SABOTEURS if saboteur.id in ("first-input-cut-off", "no-error")]
    monkeypatch.setattr(trials, "fitting", lambda package: some)
    found = ends(docker_bench, make(FORWARD_ONLY, reference=WITH_A_BACKWARD_PASS, tests="test_two_calls"))
    assert found["no-error"].end == "idle"


DEPENDENT = f'''{HEAD}
seen = []


def test_first(solution, rng):
    """The first test leaves something for the second."""
    seen.append(solution.double(rng.randn(2)))


def test_second(solution, rng):
    """The second test needs what the first has left."""
    assert seen
'''


def test_tests_that_depend_on_another_are_found_by_reversing(docker_bench: Workbench, make: Any) -> None:
    found = judge_answers(docker_bench, make(DEPENDENT, tests="test_first test_second"), all_seeds=True)
    told = [finding.text for finding in found.findings if finding.where == "a-reference.py"]
    assert len(told) == 2  # half of the seeds
    assert all("with the tests in reverse order: test_second: WA " in text for text in told)


NARROW = f'''{HEAD}

def test_values(solution):
    """The tolerance is twice as large as the error of the accepted answer."""
    x = torch.ones(2)
    assert_close(solution.double(x), 2 * x + 0.01, atol=0.02, rtol=0.0)
'''


def test_a_tolerance_that_is_nearly_exceeded_is_found(docker_bench: Workbench, make: Any) -> None:
    package = make(NARROW, tests="test_values")
    judged = judge_trials(docker_bench, [Trial("right", package.reference, 1, package)])
    assert [end.accepted for end in judged] == [True]
    found = judge_answers(docker_bench, package, all_seeds=False)
    told = [finding.text for finding in found.findings if finding.where == "a-reference.py"]
    assert len(told) == 2  # as the tests are, and in reverse order
    assert all("with a third of each tolerance" in text and "largest error 0.01" in text for text in told)


def test_slow_answers_and_lazy_tests_are_found(docker_bench: Workbench, make: Any) -> None:
    # Limits are in seconds of the reference machine, whose speed is 1. On any machine, this answer uses 1.5 such seconds of the
    # 4 that the package allows for all tests.
    docker_bench.spares.wait_until_warm()
    own_s = 1.5 / docker_bench.speed.value
    head = f"import time\n\n\ndef double(x, shift=0.0):\n    end = time.process_time() + {own_s}\n"
    slow = f"{head}    while time.process_time() < end:\n        pass\n    return x\n"
    lazy = f'{HEAD}\n\ndef test_nothing(solution):\n    """Asks for nothing at all."""\n    solution.double(torch.ones(1))\n'
    found = judge_answers(docker_bench, make(lazy, reference=slow, tests="test_nothing"), all_seeds=False)
    assert found.cpu_s > 1
    assert [time_ms >= 1000 * own_s for time_ms in found.milliseconds] == [True]
    assert [finding.where for finding in found.findings] == ["starter.py", "a-reference.py"]
    assert "more than a quarter of the limit" in found.findings[1].text


def test_a_judging_may_end_with_the_first_failure(docker_bench: Workbench, make: Any) -> None:
    package = make(WEAK, tests=TESTS)
    trial = Trial("wrong", "def double(x, shift=0.0):\n    return x\n", 1, package)
    whole, short = (judge_trials(docker_bench, [trial], to_the_end=end)[0].judgement for end in (True, False))
    assert whole is not None
    assert short is not None
    assert whole.verdict is short.verdict is Verdict.WA
    assert [t.message for t in short.tests] == ["", "not run: a test before failed"]
    assert whole.tests[1].message != "not run: a test before failed"


def test_the_whole_of_it(docker_bench: Workbench, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "kit" / "doubling", STRONG, reference=REFERENCE)
    record = examine(docker_bench, folder)
    assert "tests.lock: missing" in record.findings[0].text
    (folder / "tests.lock").write_text('{"tests": []}')
    assert examine(docker_bench, folder).findings[0].text.startswith("does not match tests.py")
    (folder / "gate.toml").write_text("[[survivor]]\nsaboteur = 1\n")
    assert "gate.toml" in examine(docker_bench, folder).findings[0].text
