"""Checks what happens if a part of the grader fails during a judging. The judging must end in a Fault, which does not count
against the answer, and the next attempt must end in the right verdict.
"""

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from grader.content.package import Package, load
from grader.contract.errors import CellLost, Fault, JudgeLost
from grader.contract.job import Verdict
from grader.hosts.host import Host
from grader.hosts.zygote_client import Child
from grader.inside.confine.processes import all_running
from grader.judging.pool import judges
from grader.judging.pool.judges import Judge
from grader.judging.workbench import Report, Workbench, a_job
from tests.attacks.aftermath import descriptors, settled, strangers, uids_of

pytestmark = pytest.mark.docker

# This answer sleeps in each call, so that a test has time to kill something.
SLOW = """
import math
import time

calls = 0


def attention(q, k, v):
    global calls
    calls += 1
    time.sleep(0.1)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
"""
# A killed container takes a while to end. So this answer sleeps longer in later calls, and in total longer than the limit of a
# judging.
SLOWER = SLOW.replace("sleep(0.1)", "sleep(0.1 if calls < 3 else 1.5)")
WRONG = "def attention(q, k, v):\n    return q\n"


@pytest.fixture(scope="session")
def package() -> Package:
    return load(Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention")


@pytest.fixture
def bench(docker_bench: Workbench, package: Package) -> Iterator[Workbench]:
    """The shared bench, whose cell is warm before each test. After the test, the bench must still judge correctly, whatever the
    test did to it.
    """
    assert docker_bench.judge(a_job(package, package.reference), package).verdict is Verdict.AC
    yield docker_bench
    assert docker_bench.judge(a_job(package, package.reference), package).verdict is Verdict.AC
    assert docker_bench.judge(a_job(package, WRONG), package).verdict is Verdict.WA
    settled(docker_bench)
    assert strangers(docker_bench) == []


def at_first_result(strike: Callable[[], object]) -> Report:
    """Return a report function that calls `strike` when the first test of the judging has ended."""

    def report(done: int, total: int, result: object) -> None:
        if done == 1:
            strike()

    return report


def cell_zygote(bench: Workbench) -> int:
    return host_of(bench).pid


def judge_zygote(bench: Workbench) -> int:
    return bench._judge.get().host.pid


def host_of(bench: Workbench) -> Host:
    """Return the host of the first slot's cell."""
    cell = bench._slots[0]._cell
    assert cell is not None
    return cell.host


def children(pid: int) -> list[int]:
    return [each.pid for each in all_running() if each.parent == pid]


def package_parents(bench: Workbench) -> list[int]:
    """Return the processes that have loaded a package's tests. Each is a child of process 1 of its namespaces."""
    return [pid for first in children(judge_zygote(bench)) for pid in children(first)]


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def judged_in_the_end(bench: Workbench, package: Package) -> Verdict | None:
    """Judge the reference after a fault, as a service would with its next attempt. Return the verdict."""
    return bench.judge(a_job(package, package.reference), package).verdict


def test_zygote_of_the_cell_killed_is_a_lost_cell(bench: Workbench, package: Package) -> None:
    struck = at_first_result(lambda: kill(cell_zygote(bench)))
    with pytest.raises(CellLost):
        bench.judge(a_job(package, SLOWER), package, struck)
    assert judged_in_the_end(bench, package) is Verdict.AC


def test_waiting_spare_killed_is_not_handed_out(bench: Workbench, package: Package) -> None:
    bench.spares.wait_until_warm()
    kill(bench.spares._ready[0].host.pid)
    job = a_job(package, package.reference)
    assert bench.judge(job, package).verdict is Verdict.AC


def test_zygotes_killed_between_jobs_cost_no_attempt(bench: Workbench, package: Package) -> None:
    settled(bench)
    for host in (host_of(bench), bench._judge.get().host):
        kill(host.pid)
        until = time.monotonic() + 10
        while host.alive():
            assert time.monotonic() < until
            time.sleep(0.01)
    assert judged_in_the_end(bench, package) is Verdict.AC


def test_child_of_the_judge_killed_is_a_lost_judge(bench: Workbench, package: Package) -> None:
    def strike() -> None:
        # This also kills idle processes that earlier tests left behind for their own packages. Nothing waits for them.
        found = [pid for parent in package_parents(bench) for pid in children(parent)]
        assert found
        for pid in found:
            kill(pid)

    with pytest.raises(JudgeLost):
        bench.judge(a_job(package, SLOWER), package, at_first_result(strike))
    assert judged_in_the_end(bench, package) is Verdict.AC


def test_child_of_the_judge_outlives_the_package_parent(bench: Workbench, package: Package) -> None:
    def strike() -> None:
        for pid in package_parents(bench):
            kill(pid)

    assert bench.judge(a_job(package, SLOW), package, at_first_result(strike)).verdict is Verdict.AC
    assert judged_in_the_end(bench, package) is Verdict.AC


def test_package_parent_killed_between_jobs_is_loaded_again(bench: Workbench, package: Package) -> None:
    for pid in children(judge_zygote(bench)):
        kill(pid)
    assert judged_in_the_end(bench, package) is Verdict.AC


def test_package_parent_killed_in_the_middle_is_a_lost_judge(bench: Workbench, package: Package) -> None:
    def strike() -> None:
        for pid in children(judge_zygote(bench)):
            kill(pid)

    with pytest.raises(JudgeLost):
        bench.judge(a_job(package, SLOWER), package, at_first_result(strike))
    assert judged_in_the_end(bench, package) is Verdict.AC


def test_package_parent_whose_tests_run_is_not_ended_for_another_package(
    bench: Workbench, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node keeps the parents of MAX_PACKAGES packages, here of one."""
    monkeypatch.setattr(judges, "MAX_PACKAGES", 1)
    other = msgspec.structs.replace(package, tests_source=f"{package.tests_source}\n", digest=uuid.uuid4().hex)
    judge = bench.judge_container()
    struck = at_first_result(lambda: judge.describe(other))
    assert bench.judge(a_job(package, SLOW), package, struck).verdict is Verdict.AC
    assert set(judge._parents) == {package.digest, other.digest}
    judge.describe(msgspec.structs.replace(other, digest=uuid.uuid4().hex))
    assert len(judge._parents) == 2, "one more came, and one that was idle went"


def test_nothing_waits_for_a_package_parent_that_has_been_ended(
    bench: Workbench, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A parent can be ended while it forks a child for the next job: another slot has found it dead, or the judge itself."""
    judge, late = bench.judge_container(), msgspec.structs.replace(package, digest=uuid.uuid4().hex)
    forked: list[Child] = []

    def forked_late(self: Judge, parent: judges._Parent, package: Package) -> Child:
        child = parent.forks.fork()
        if package is late:  # a slot may still fork ahead for the job of another test
            forked.append(child)
            self._forget(package.digest)
        return child

    with monkeypatch.context() as patch:
        patch.setattr(Judge, "_forked", forked_late)
        judge.fork_ahead(late)
    assert [child.sock.fileno() for child in forked] == [-1]


def test_children_wait_only_for_the_packages_that_were_used_last(bench: Workbench, package: Package) -> None:
    judge = bench.judge_container()
    used = [msgspec.structs.replace(package, digest=uuid.uuid4().hex) for _ in range(judges.WAITING_PACKAGES + 1)]
    for each in used:
        for _ in range(judges.MOST_WAITING + 1):
            judge.fork_ahead(each)
    assert [len(judge._parents[each.digest].waiting) for each in used] == [
        0,
        *[judges.MOST_WAITING] * judges.WAITING_PACKAGES,
    ]


def test_container_of_the_judge_killed_is_a_lost_judge(bench: Workbench, package: Package) -> None:
    struck = at_first_result(lambda: kill(judge_zygote(bench)))
    with pytest.raises(JudgeLost):
        bench.judge(a_job(package, SLOWER), package, struck)
    assert judged_in_the_end(bench, package) is Verdict.AC


def test_node_that_stood_still_does_not_let_the_candidate_pay(bench: Workbench, package: Package) -> None:
    """The test stops the node for longer than the limit of a call, as if the machine was paused or swapped heavily. The answer
    must still be accepted.
    """
    still_s = 3 * package.info.limits.cpu_s_per_call + 1
    pause = f"kill -STOP {os.getpid()}; sleep {still_s}; kill -CONT {os.getpid()}"

    strikes = []

    def strike() -> None:
        strikes.append(subprocess.Popen(["bash", "-c", f"sleep 0.05; {pause}"], start_new_session=True))

    began = time.monotonic()
    assert bench.judge(a_job(package, SLOW), package, at_first_result(strike)).verdict is Verdict.AC
    assert time.monotonic() > began + still_s
    assert strikes[0].wait() == 0


def test_child_of_the_candidate_killed_from_outside_looks_like_its_own_doing(
    bench: Workbench, package: Package
) -> None:
    """The node cannot distinguish a child that is killed from outside from a child that kills itself. So the verdict must be RE
    (runtime error).
    """

    def strike() -> None:
        (pid,) = children(cell_zygote(bench))
        kill(pid)

    judgement = bench.judge(a_job(package, SLOW), package, at_first_result(strike))
    assert judgement.verdict is Verdict.RE
    second = judgement.tests[1]
    assert "killed by signal 9 (SIGKILL)" in second.message
    assert [test.verdict for test in judgement.tests[2:]] == [Verdict.AC] * 5


def test_faults_lose_neither_descriptors_nor_uids(bench: Workbench, package: Package) -> None:
    strikes = [lambda: kill(cell_zygote(bench)), lambda: kill(judge_zygote(bench))]
    counts = []
    # The first round opens connections to the container engine, which are then kept open. So the numbers of descriptors are
    # compared from the second round on.
    for _ in range(3):
        for strike in strikes:
            with pytest.raises(Fault):
                bench.judge(a_job(package, SLOWER), package, at_first_result(strike))
            assert judged_in_the_end(bench, package) is Verdict.AC
        settled(bench)
        bench.spares.wait_until_warm()
        counts.append((len(uids_of(bench)._used), descriptors()))
    assert counts[2][0] == counts[0][0]
    assert counts[2][1] <= counts[1][1] + 2
