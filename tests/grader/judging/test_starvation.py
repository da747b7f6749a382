"""Checks cells and judges that get hardly any CPU time. They may be slow, but must give the right verdicts. A CPU quota on
their container simulates a busy machine.
"""

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from grader.content import package
from grader.content.answers import Answer
from grader.content.package import Package, load
from grader.contract.errors import Starved
from grader.contract.job import Judgement, Limits, Verdict
from grader.hosts import cgroup, host
from grader.hosts.host import Host
from grader.judging import judge_turns
from grader.judging.pool.cell_starter import CELL
from grader.judging.workbench import Workbench, a_job, engine

pytestmark = pytest.mark.docker
PERIOD_US = 100_000
LIMITS = Limits(cpu_s_per_call=0.5, cpu_s=1.0, memory_mb=192)
PREAMBLE = "import time\nfrom grader.testing import check\ndef burn(s):\n    until = time.process_time() + s\n"
PREAMBLE += "    while time.process_time() < until: pass\n"
TEST = "def test_a(solution): check(solution.f(1) == 1, 'a')\n"
BURN = "import time\ndef f(x):\n    while time.process_time() < 0.25: pass\n    return x\n"
numbers = itertools.count()


@contextmanager
def starved(pid: int, share: float) -> Iterator[None]:
    """Limit a container to the fraction `share` of one processor inside the `with` block."""
    weight = cgroup.weight_around(pid)
    name = "cpu.cfs_quota_us" if weight.name == "cpu.shares" else "cpu.max"
    file = weight.parent / cgroup.of_process(pid).cpu.name / name
    before = file.read_text().strip()
    file.write_text(str(int(share * PERIOD_US)))
    try:
        yield
    finally:
        file.write_text(before)


@pytest.fixture(scope="module")
def template() -> Package:
    return load(Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention")


@pytest.fixture
def made(template: Package) -> Callable[..., Package]:
    """A function that makes a package with a single test. Its argument is the text of tests.py."""

    def make(tests: str = TEST) -> Package:
        entry = (package.Entry("f", "function", "f(x)"),)
        info = msgspec.structs.replace(template.info, entry=entry, limits=LIMITS)
        return msgspec.structs.replace(
            template,
            digest=f"starving-{next(numbers)}",
            info=info,
            tests_source=PREAMBLE + tests,
            lock=msgspec.structs.replace(template.lock, tests=(package.TestSpec("test_a", "a", 1),)),
            answers=(Answer("a.py", Verdict.AC, "def f(*args):\n    return args[0]\n"),),
        )

    return make


def cell_of(bench: Workbench) -> Host:
    cell = bench._slots[0]._cell
    assert cell is not None
    return cell.host


def judged(bench: Workbench, whole: Package, source: str) -> Judgement:
    return bench.judge(a_job(whole, source), whole)


def test_right_answer_is_accepted_however_little_its_cell_gets(
    docker_bench: Workbench, made: Callable[..., Package]
) -> None:
    whole = made()
    assert judged(docker_bench, whole, BURN).verdict is Verdict.AC
    with starved(cell_of(docker_bench).pid, 0.05):
        found = judged(docker_bench, whole, BURN)
    assert found.wall_s > 3 * LIMITS.cpu_s, "the machine was not as busy as this test needs it"
    assert found.verdict is Verdict.AC, found


def test_answer_that_sleeps_or_works_too_long_is_told_so_in_a_starved_cell_too(
    docker_bench: Workbench, made: Callable[..., Package]
) -> None:
    whole = made()
    judged(docker_bench, whole, BURN)
    with starved(cell_of(docker_bench).pid, 0.2):
        slept = judged(docker_bench, whole, "import time\ndef f(x):\n    time.sleep(60)\n")
        worked = judged(docker_bench, whole, "def f(x):\n    while True: pass\n")
    assert (slept.verdict, slept.tests[0].message) == (Verdict.TLE, "a call took longer than 1.5 s")
    assert (worked.verdict, worked.tests[0].message) == (Verdict.TLE, "a call used more than 0.5 s of CPU time")


def test_expensive_test_blames_nobody_in_a_starved_judge(
    docker_bench: Workbench, made: Callable[..., Package], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_turns, "STUCK_S", 1.0)
    monkeypatch.setattr(judge_turns, "BUDGET_S", 1.0)
    whole = made("def test_a(solution):\n    check(solution.f(1) == 1, 'a')\n    burn(0.3)\n")
    assert judged(docker_bench, whole, BURN).verdict is Verdict.AC
    with starved(docker_bench._judge.get().host.pid, 0.1):
        found = judged(docker_bench, whole, BURN)
    assert found.wall_s > 2.0, "the machine was not as busy as this test needs it"
    assert found.verdict is Verdict.AC, found


def test_what_is_dear_to_check_is_the_answers_fault_however_it_is_spread(
    docker_bench: Workbench, made: Callable[..., Package], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge uses up its time budget, because checking each result takes long, whether it computes or sleeps. This must
    count against the answer (TLE, time limit exceeded), even if many calls share the budget.
    """
    monkeypatch.setattr(judge_turns, "BUDGET_S", 0.5)
    for waste in ("burn(0.1)", "time.sleep(0.1)"):
        tests = f"def test_a(solution):\n    for n in range(40):\n        solution.f(n)\n        {waste}\n"
        # The 39th call of the answer fails. Even on the slowest machine, the judge must have used up its budget before that
        # call.
        found = judged(docker_bench, made(tests), "def f(x):\n    assert x < 38\n    return x\n")
        assert found.verdict is Verdict.TLE, found
        assert found.tests[0].message == "checking what the answer returned took more than 0.5 s"


def test_where_nobody_can_see_a_cell_wait_its_wall_time_is_no_verdict(
    docker_bench: Workbench, made: Callable[..., Package], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = made()
    judged(docker_bench, whole, BURN)
    monkeypatch.setattr(type(cell_of(docker_bench)), "runs", lambda self: None)
    with starved(cell_of(docker_bench).pid, 0.05), pytest.raises(Starved):
        judged(docker_bench, whole, BURN)


def test_zygote_warms_for_as_long_as_it_needs(grader_image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "WARM_IDLE_S", 2.0)
    started = engine("docker", grader_image)
    started.connect()
    began = time.monotonic()
    container = started.start(replace(CELL, cpus=0.3))
    try:
        assert container.alive()
        assert time.monotonic() > began + 4.0, "this machine is too fast for this test"
    finally:
        container.destroy()


def test_judging_ends_though_its_cell_waits_for_ever(
    docker_bench: Workbench, made: Callable[..., Package], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If every sample says that the cell waits for a processor, a sleeping answer never counts as idle. The judging must still
    end.
    """
    monkeypatch.setattr("grader.judging.candidate_turns.WALL_FACTOR", 4.0)
    whole = made()
    judged(docker_bench, whole, BURN)
    monkeypatch.setattr(type(cell_of(docker_bench)), "runs", lambda self: True)
    with pytest.raises(Starved):
        judged(docker_bench, whole, "import time\ndef f(x):\n    time.sleep(60)\n")
