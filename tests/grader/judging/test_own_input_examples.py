"""Checks comparisons on own inputs with challenges of the catalogue, in real cells: modules, functions that change their
arguments, and the examples that the page offers.
"""

from pathlib import Path

import pytest

from grader.content import package as packages
from grader.content.own_input.offer import example_calls_of
from grader.content.package import load
from grader.contract.job import Kind, Verdict
from grader.judging.workbench import Workbench, a_job

pytestmark = pytest.mark.docker
ROOT = Path(__file__).parents[3]


def test_function_that_changes_its_arguments(docker_bench: Workbench) -> None:
    package = load(ROOT / "challenges" / "tensors" / "average-in-its-own-memory")
    text = example_calls_of(package)["ema_update_"]
    wrong = (
        package.reference.replace("def ema_update_(", "def _own(")
        + "\ndef ema_update_(avg, new, decay):\n    return avg\n"
    )
    for source, verdict in ((package.reference, Verdict.AC), (wrong, Verdict.WA)):
        job = a_job(package, source, Kind.COMPARE, snippet=text)
        assert docker_bench.judge(job, package).verdict is verdict


@pytest.mark.parametrize(
    ("change", "verdict", "said"),
    [
        ("", Verdict.AC, "Shape [2, 4], float32: matches the reference"),
        (
            "\n_old = RMSNorm.forward\nRMSNorm.forward = lambda self, x: _old(self, x) + 1\n",
            Verdict.WA,
            "largest difference 1.",
        ),
        (
            "\nclass RMSNorm(torch.nn.Module):\n    def __init__(self, d, eps=1e-6):\n        super().__init__()\n"
            "        self.gain = torch.nn.Parameter(torch.ones(d))\n    def forward(self, x):\n        return x\n",
            Verdict.WA,
            "The parameters of your module have other names or shapes",
        ),
    ],
)
def test_module_gets_the_parameters_of_the_answer(
    docker_bench: Workbench, change: str, verdict: Verdict, said: str
) -> None:
    package = load(ROOT / "challenges" / "architectures" / "rms-norm")
    job = a_job(package, package.reference + change, Kind.COMPARE, snippet="RMSNorm(4)(torch.randn(2, 4))")
    found = docker_bench.judge(job, package)
    assert found.verdict is verdict
    assert said in found.tests[0].exhibits[0].title


def test_module_in_a_variable(docker_bench: Workbench) -> None:
    package = load(ROOT / "challenges" / "architectures" / "rms-norm")
    text = "norm = RMSNorm(4)\nx = torch.randn(2, 4)\nnorm(x)"
    found = docker_bench.judge(a_job(package, package.reference, Kind.COMPARE, snippet=text), package)
    assert found.verdict is Verdict.AC


def test_every_example_runs_and_the_reference_matches_itself(docker_bench: Workbench) -> None:
    jobs = []
    for folder in packages.find(ROOT / "challenges"):
        package = load(folder)
        if "cpu" not in package.info.devices:
            continue  # the image for CPUs lacks what its answers need
        for text in example_calls_of(package).values():
            jobs.append((a_job(package, package.reference, Kind.COMPARE, snippet=text), package))
    assert len({package.slug for _, package in jobs}) > 90
    missed = []
    for finished in docker_bench.judge_all(jobs):
        found = finished.judgement
        if found is None or found.verdict is not Verdict.AC:
            missed.append(
                (finished.job.slug, finished.job.snippet, found and (found.message, found.tests), finished.fault)
            )
    assert not missed
