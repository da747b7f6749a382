"""Checks how a job is judged in two parts: which tests each part has, that the outcome does not depend on whether another slot
helps, and that a job ends exactly once, whatever happens to its parts.
"""

import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from grader.content.package import Package, load
from grader.contract.errors import CellLost
from grader.contract.job import Judgement, Kind, Verdict
from grader.contract.job import TestResult as Result
from grader.judging.request import JudgingRequest
from grader.judging.slots.parts import judge_in_parts, merged, parts_of, with_tests
from grader.judging.slots.slot import Slot, SlotTask
from grader.judging.workbench import IdleSlots, Workbench, a_job, workbench

# The answer's process counts the calls of all tests, and returns wrong values from the 25th call on. So the verdict of a test
# depends on which tests ran before it in the same process.
FAILS_LATE = """
calls = 0
right = {name}

def {name}(*args, **kwargs):
    global calls
    calls += 1
    result = right(*args, **kwargs)
    return result if calls < 25 else result + 1
"""


@pytest.fixture(scope="module")
def package() -> Package:
    return load(Path(__file__).parents[3] / "challenges/architectures/scaled-dot-product-attention")


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with workbench("process", slots=2) as made:
        yield made


def request_of(package: Package, source: str = "", **more: object) -> JudgingRequest:
    return JudgingRequest(
        msgspec.structs.replace(a_job(package, source or package.reference), **more), package, ignored
    )


def ignored(done: int, total: int, result: Result) -> None:
    """Ignore the result of a test."""


def long(package: Package) -> Package:
    limits = msgspec.structs.replace(package.info.limits, cpu_s=8.0)
    return msgspec.structs.replace(package, info=msgspec.structs.replace(package.info, limits=limits))


def timed(package: Package, milliseconds: list[int]) -> Package:
    """Return a copy of the package whose tests have been measured to take this long."""
    assert package.proof is not None
    proof = msgspec.structs.replace(package.proof, milliseconds=tuple(milliseconds))
    return msgspec.structs.replace(package, proof=proof)


def test_every_test_is_in_exactly_one_part(package: Package) -> None:
    order = [test.id for test in package.lock.tests]
    parts = parts_of(request_of(package))
    assert sorted(itertools.chain(*parts)) == sorted(order)
    assert [sorted(part, key=order.index) for part in parts] == [list(part) for part in parts]


def test_parts_take_the_same_time(package: Package) -> None:
    count = len(package.lock.tests)
    slow, times = 3, [1] * count
    times[slow] = 200
    parts = parts_of(request_of(timed(package, times)))
    assert parts == [(package.lock.tests[slow].id,), tuple(t.id for n, t in enumerate(package.lock.tests) if n != slow)]
    for unmeasured in (timed(package, [7] * count), timed(package, [7]), msgspec.structs.replace(package, proof=None)):
        first, second = parts_of(request_of(unmeasured))
        assert abs(len(first) - len(second)) <= 1


def test_some_jobs_have_one_part(package: Package) -> None:
    count = len(package.lock.tests)
    for request in (
        request_of(timed(package, [1] * count)),
        request_of(with_tests(timed(package, [200]), [package.lock.tests[0].id])),
        request_of(long(package)),
        request_of(package, kind=Kind.RUN),
        request_of(package, team="a team"),
        request_of(package, device="cuda"),
    ):
        assert len(parts_of(request)) == 1


def judged(bench: Workbench, request: JudgingRequest, *, helped: bool) -> Judgement:
    ended: list[object] = []
    done = threading.Event()

    def end(outcome: object) -> None:
        ended.append(outcome)
        done.set()

    helpers = IdleSlots(bench._slots[1:]) if helped else IdleSlots([])
    judge_in_parts(bench._slots[0], request, end, helpers)
    assert done.wait(120)
    [judgement] = ended
    assert isinstance(judgement, Judgement)
    return judgement


def test_outcome_is_the_same_with_and_without_help(bench: Workbench, package: Package) -> None:
    # This answer shows that both ways use the same processes for the same tests: it fails tests late in each process.
    source = package.reference + FAILS_LATE.format(name=package.info.entry[0].name)
    request = request_of(package, source)
    alone, helped = (judged(bench, request, helped=helped) for helped in (False, True))
    verdicts = [[test.verdict for test in each.tests] for each in (alone, helped)]
    assert verdicts[0] == verdicts[1]
    assert Verdict.AC in verdicts[0]
    assert alone.verdict is helped.verdict is Verdict.WA
    assert (alone.score, alone.max_score) == (helped.score, helped.max_score)
    assert [test.id for test in helped.tests] == [test.id for test in package.lock.tests]


def test_accepted_answer_gets_every_point_and_reports_its_tests_in_order(bench: Workbench, package: Package) -> None:
    told: list[tuple[int, int, str]] = []
    request = request_of(package)
    request = JudgingRequest(request.job, package, lambda done, total, result: told.append((done, total, result.id)))
    judgement = judged(bench, request, helped=True)
    assert judgement.verdict is Verdict.AC
    assert judgement.score == judgement.max_score == sum(test.points for test in package.lock.tests)
    count = len(package.lock.tests)
    assert told == [(number, count, test.id) for number, test in enumerate(package.lock.tests, 1)]


def test_answer_that_cannot_be_compiled_is_told_so_once(bench: Workbench, package: Package) -> None:
    judgement = judged(bench, request_of(package, "def attention(:\n"), helped=True)
    assert judgement.verdict is Verdict.CE
    assert judgement.compile_error is not None
    assert judgement.score == 0
    assert len(judgement.tests) == len(package.lock.tests)


class HeldSlot(Slot):
    """A slot that only keeps its tasks. The test ends them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tasks: list[SlotTask] = []

    @property
    def ready(self) -> bool:
        return True

    def submit(self, task: SlotTask) -> None:
        self.tasks.append(task)


def held(
    package: Package, slots: int, cancelled: Callable[[], bool] = lambda: False
) -> tuple[list[HeldSlot], list[object]]:
    """Start a job in the first of `slots` slots. Returns the slots, and the list to which the job's outcome is added."""
    made = [HeldSlot(str(number)) for number in range(slots)]
    ended: list[object] = []
    request = request_of(package)
    request = JudgingRequest(request.job, package, ignored, cancelled)
    judge_in_parts(made[0], request, ended.append, IdleSlots(made[1:]))
    return made, ended


def test_fault_of_one_part_stops_the_other_and_ends_the_job_once(package: Package) -> None:
    (own, helper), ended = held(package, 2)
    fault = CellLost("the cell is gone")
    assert not own.tasks[0].request.cancelled()
    helper.tasks[0].done(fault)
    assert own.tasks[0].request.cancelled()
    assert not ended
    own.tasks[0].done(None)
    assert ended == [fault]


def test_second_part_does_not_start_after_a_fault_or_a_cancellation(package: Package) -> None:
    for outcome in (CellLost("the cell is gone"), None):
        (own,), ended = held(package, 1)
        own.tasks[0].done(outcome)
        assert ended == [outcome]
        assert len(own.tasks) == 1


def test_without_help_the_second_part_follows_in_the_same_slot(bench: Workbench, package: Package) -> None:
    (own,), ended = held(package, 1)
    for number in range(2):
        request = own.tasks[number].request
        part = next(bench.judge_all([(request.job, request.package)])).judgement
        own.tasks[number].done(part)
    [judgement] = ended
    assert isinstance(judgement, Judgement)
    assert judgement.verdict is Verdict.AC
    assert len(judgement.tests) == len(package.lock.tests)


def test_limit_of_cpu_time_holds_for_the_sum_of_the_parts(bench: Workbench, package: Package) -> None:
    request = request_of(package)
    parts = [
        msgspec.structs.replace(found, cpu_s=cpu_s)
        for ids, cpu_s in zip(parts_of(request), (2.0, 1.5), strict=True)
        if (found := next(bench.judge_all([(request.job, with_tests(package, ids))])).judgement) is not None
    ]
    judgement = merged(request.job, package, parts)
    assert judgement.cpu_s == 3.5
    assert judgement.verdict is Verdict.TLE
    assert "more than 3 s" in judgement.tests[-1].message
