"""Tests that verdicts about speed depend neither on what is judged beside an answer nor on how often the answer is judged, and
that the same seed gives the same verdicts.
"""

import pytest

from grader.content.package import Package
from grader.contract.job import Verdict
from grader.judging.workbench import Workbench, a_job
from tests.attacks.program import PROGRAMS, Program
from tests.attacks.trial import outline

pytestmark = pytest.mark.docker

BY_CHANCE = """
import math

def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return out if q.sum() > 0 or q.shape == (1, 4) else out * 0
"""


def program(name: str) -> Program:
    """Read the program in programs/ whose file has this name."""
    return Program.read(next(path for path in PROGRAMS if path.stem == name))


def test_a_fast_answer_passes_beside_one_that_takes_all_time(bench: Workbench, packages: dict[str, Package]) -> None:
    package = packages["smoothing"]
    greedy = program("F13-slows-the-reference")
    fast = next(answer.source for answer in package.answers if answer.name == "b-by-hand.py")
    jobs = [a_job(package, greedy.source), a_job(package, fast)]
    ends = {end.job.id: end for end in bench.judge_all([(job, package) for job in jobs])}
    slow, quick = (ends[job.id].judgement for job in jobs)
    assert slow is not None, ends[jobs[0].id].fault
    assert quick is not None, ends[jobs[1].id].fault
    assert slow.verdict in greedy.expected, outline(slow)
    assert quick.verdict is Verdict.AC, outline(quick)


def test_no_submission_of_many_is_lucky(bench: Workbench, packages: dict[str, Package]) -> None:
    package, lottery = packages["smoothing"], program("F18-lottery-of-speed")
    verdicts = {bench.judge(a_job(package, lottery.source), package).verdict for _ in range(4)}
    assert verdicts == {Verdict.WA}


def test_sleeping_is_told_from_working(bench: Workbench, package: Package) -> None:
    judgement = bench.judge(a_job(package, program("F17-looks-like-a-slow-machine").source), package)
    assert judgement.verdict is Verdict.AC, outline(judgement)
    assert judgement.wall_s > 0.8, "eight calls and more sleep 0.12 s each"
    assert judgement.cpu_s < judgement.wall_s / 2


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_the_same_seed_gives_the_same_verdicts(seed: int, bench: Workbench, package: Package) -> None:
    """This answer is right only for some inputs. Whenever it is judged with the same seed, it must get the same verdicts."""
    runs = [bench.judge(a_job(package, BY_CHANCE, seed=seed), package) for _ in range(3)]
    assert len({tuple((test.id, test.verdict) for test in run.tests) for run in runs}) == 1
