"""Checks how a measurement proceeds, with runs that take as long as the test says. No cell is started."""

import math
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from grader.content.package import Package, load
from grader.contract import job as jobs
from grader.contract.errors import Fault, GraderError, Starved, Unavailable
from grader.contract.job import Exhibit, Judgement, Verdict
from grader.contract.measurement import NO_PAUSE, ChainSize, MeasurementPlan, Quantity
from grader.judging.candidate_turns import JobCancelled
from grader.judging.measuring import measuring
from grader.judging.measuring.bench import MeasuringBench, Run
from grader.judging.measuring.machine import Machine, Rates
from grader.judging.measuring.measuring import AnswerFailed, MeasuringRequest, measure
from grader.judging.measuring.package import derived, name_of, only
from grader.judging.slots import lane as lanes
from grader.judging.slots.lane import Lane

BASELINE, ANSWER = "baseline", "answer"
CHAIN = "def chain(solution, size, steps, seed): ...\n"
SMALL, LARGE = ChainSize(16, 10, 1e6, 1e5), ChainSize(64, 20, 1e8, 1e7)
PLAN = MeasurementPlan(Quantity.SPEED, CHAIN, BASELINE, (SMALL, LARGE))
RATES = Rates(100.0, {1 << 16: 50.0, 1 << 20: 10.0}, "2.0", "build")


class Bench(MeasuringBench):
    """Replaces the bench. `runs` maps a source to a function that makes its runs: of the size, and the number of the run."""

    def __init__(self, **runs: Callable[[int, int], Run]) -> None:  # a bench without cells
        self.asked: list[tuple[str, str, int, float]] = []
        self.resets_peak = True
        self._runs = runs

    def prepare(self) -> Any:
        return SimpleNamespace(host=SimpleNamespace(reset_peak=lambda: self.resets_peak))

    def machine(self, cancelled: Callable[[], bool]) -> Machine:
        return Machine(RATES)

    def run(self, package: Package, source: str, seed: int, cancelled: Callable[[], bool]) -> Run:
        if cancelled():
            raise JobCancelled
        (test,) = package.lock.tests
        self.asked.append((source, test.id, seed, package.info.limits.cpu_s_per_call))
        if test.id.startswith("test_operators"):
            exhibit = Exhibit("operators", "operators", {"mm": 0.75, "bad\x1bname": 0.25})
            return made(1.0, exhibits=(exhibit,))
        number = sum(known[:2] == (source, test.id) for known in self.asked) - 1
        return self._runs[source](int(test.id.partition("[")[2][:-1]), number)

    def order(self, test: str) -> str:
        return "".join(source[0] for source, name, *_ in self.asked if name == test)


def made(
    wall_s: float,
    *,
    cpu_s: float | None = None,
    memory_mb: float = 0.0,
    verdict: Verdict = Verdict.AC,
    message: str = "",
    exhibits: tuple[Exhibit, ...] = (),
) -> Run:
    test = jobs.TestResult("test", "", 1, False, False, verdict, 0.0, message, exhibits=exhibits)
    judgement = Judgement("", "", verdict, 1, 1, (test,), 0, "", 0.0, 0.0, memory_mb)
    return Run(judgement, wall_s, wall_s if cpu_s is None else cpu_s, memory_mb)


@pytest.fixture
def package() -> Package:
    return load(Path(__file__).parents[3] / "attacks" / "package" / "hostile" / "attention")


@pytest.fixture
def ask(package: Package) -> Callable[..., MeasuringRequest]:
    def made_request(plan: MeasurementPlan = PLAN, **more: Any) -> MeasuringRequest:
        return MeasuringRequest(package, ANSWER, 7, plan, **more)

    return made_request


def noisy(seconds: float, noise: float = 0.0) -> Callable[[int, int], Run]:
    return lambda size, number: made(seconds * (1 + noise * math.sin(12.9 * number)))


def test_the_score_is_how_many_times_as_fast_as_the_baseline(ask: Any) -> None:
    found = measure(ask(), Bench(baseline=noisy(0.6), answer=noisy(0.2)), Lane())
    assert math.exp(found.log_ratio) == pytest.approx(3)
    assert found.std_error == pytest.approx(0)
    assert found.pairs == measuring.LEAST_PAIRS
    assert not found.shared


def test_a_size_shows_seconds_per_call_and_its_floor(ask: Any) -> None:
    found = measure(ask(), Bench(baseline=noisy(0.6), answer=noisy(0.2)), Lane())
    small, large = found.sizes
    assert (small.size, small.pairs, large.size, large.pairs) == (16, 3, 64, 12)
    assert large.answer == pytest.approx(0.2 / LARGE.steps)
    assert large.baseline == pytest.approx(0.6 / LARGE.steps)
    assert large.floor == pytest.approx(max(1e8 / 100e9, 1e7 / 10e9))
    assert small.floor == pytest.approx(max(1e6 / 100e9, 1e5 / 50e9))


def test_cpu_time_of_threads_counts(ask: Any) -> None:
    bench = Bench(baseline=noisy(0.6), answer=lambda *_: made(0.15, cpu_s=0.6))
    assert measure(ask(), bench, Lane()).log_ratio == pytest.approx(0)


def test_the_order_of_a_pair_alternates_and_its_inputs_are_the_same(ask: Any) -> None:
    bench = Bench(baseline=noisy(0.6), answer=noisy(0.2))
    measure(ask(), bench, Lane())
    assert bench.order("test_chain[64]") == "baab" * (measuring.LEAST_PAIRS // 2)
    seeds = [seed for _, test, seed, _ in bench.asked if test.startswith("test_chain")]
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == len(seeds) / 2
    again = Bench(baseline=noisy(0.6), answer=noisy(0.2))
    measure(ask(), again, Lane())
    assert again.asked == bench.asked


def test_a_noisy_answer_is_measured_until_it_is_known(ask: Any) -> None:
    plan = msgspec.structs.replace(PLAN, budget_s=1e9)
    widths: list[float | None] = []
    request = ask(plan, report=lambda _, width: widths.append(width))
    found = measure(request, Bench(baseline=noisy(0.6), answer=noisy(0.2, 0.1)), Lane())
    assert found.pairs > measuring.LEAST_PAIRS
    assert widths[-1] is not None
    assert widths[-1] <= plan.precision
    assert widths[0] is None


def test_a_measurement_ends_when_its_budget_is_spent(ask: Any) -> None:
    plan = msgspec.structs.replace(PLAN, budget_s=0.0, precision=0.0)
    found = measure(ask(plan), Bench(baseline=noisy(0.6), answer=noisy(0.2, 0.5)), Lane())
    assert found.pairs == 3


def test_a_wrong_result_at_one_size_fails_the_answer(ask: Any) -> None:
    def answer(size: int, number: int) -> Run:
        return made(0.2) if size == 16 else made(0.2, verdict=Verdict.WA, message="largest error 1")

    with pytest.raises(AnswerFailed, match=r"^At size 64: largest error 1$"):
        measure(ask(), Bench(baseline=noisy(0.6), answer=answer), Lane())


def test_an_answer_that_is_far_too_slow_is_not_measured(ask: Any) -> None:
    bench = Bench(baseline=noisy(0.6), answer=lambda *_: made(9.0, verdict=Verdict.TLE, message="a call"))
    with pytest.raises(AnswerFailed, match="more than 10 times as long as the baseline"):
        measure(ask(), bench, Lane())
    assert [limit for source, _, _, limit in bench.asked if source == ANSWER] == [pytest.approx(6.0)]


def test_a_crash_of_the_answer_is_its_own_fault_and_one_of_the_baseline_is_not(ask: Any) -> None:
    crash = lambda *_: made(0.2, verdict=Verdict.RE, message="was killed by signal 11")  # noqa: E731
    with pytest.raises(AnswerFailed, match="signal 11"):
        measure(ask(), Bench(baseline=noisy(0.6), answer=crash), Lane())
    with pytest.raises(Fault, match="the baseline fails at size 16"):
        measure(ask(), Bench(baseline=crash, answer=noisy(0.2)), Lane())


def test_a_lost_cell_is_a_fault(ask: Any) -> None:
    def lost(size: int, number: int) -> Run:
        raise GraderError("gone")

    lane = Lane()
    with pytest.raises(GraderError, match="gone"):
        measure(ask(), Bench(baseline=noisy(0.6), answer=lost), lane)
    with lane.job():
        pass


@pytest.mark.parametrize(("busy", "reported"), [(4, False), (5, True)])
def test_a_busy_machine_is_reported(ask: Any, busy: int, reported: bool) -> None:
    def baseline(size: int, number: int) -> Run:
        return made(0.6, cpu_s=0.5 if size == 64 and number < busy else 0.6)

    found = measure(ask(), Bench(baseline=baseline, answer=noisy(0.2)), Lane())
    assert bool(found.shared) is reported
    assert not reported or "in 5 of 12 pairs" in found.shared


def test_memory_is_the_peak_above_an_idle_process(ask: Any) -> None:
    def baseline(size: int, number: int) -> Run:
        idle = bench.asked[-1][0] == BASELINE and not any(source == ANSWER for source, *_ in bench.asked) and number < 3
        return made(0.1, memory_mb=50.0 if idle and size == 64 else 250.0)

    bench = Bench(baseline=baseline, answer=lambda *_: made(0.1, memory_mb=100.0))
    found = measure(ask(msgspec.structs.replace(PLAN, quantity=Quantity.MEMORY)), bench, Lane())
    assert math.exp(found.log_ratio) == pytest.approx(200 / 50)
    assert found.sizes[-1].floor == pytest.approx(1e7 / 2**20)


def test_memory_is_not_measured_without_accounts(ask: Any) -> None:
    bench = Bench(baseline=noisy(0.6), answer=noisy(0.2))
    bench.resets_peak = False
    with pytest.raises(Unavailable, match="cannot measure memory"):
        measure(ask(msgspec.structs.replace(PLAN, quantity=Quantity.MEMORY)), bench, Lane())


def test_a_measurement_can_be_cancelled_between_runs_and_while_it_waits(
    ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(baseline=noisy(0.6), answer=noisy(0.2))
    with pytest.raises(JobCancelled):
        measure(ask(cancelled=lambda: len(bench.asked) > 4), bench, Lane())
    monkeypatch.setattr(lanes, "LOOK_S", 0.01)
    lane, cancelled = Lane(), threading.Event()
    with lane.job(), pytest.raises(JobCancelled):
        measure(ask(cancelled=cancelled.is_set, report=lambda *_: cancelled.set()), bench, lane)


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(JobCancelled(), id="it stops"),
        pytest.param(AnswerFailed("slow"), id="it fails"),
        pytest.param(None, id="it ends before it notices the job"),
    ],
)
def test_a_job_disturbs_a_run_and_the_pair_is_repeated(ask: Any, end: Exception | None) -> None:
    lane = Lane()

    class Interrupted(Bench):
        def run(self, package: Package, source: str, seed: int, cancelled: Callable[[], bool]) -> Run:
            run = super().run(package, source, seed, cancelled)
            if len(self.asked) == 8:  # the second run of a pair
                with lane.job():
                    assert cancelled()
                if end is not None:
                    raise end
            return run

    plain, bench = (kind(baseline=noisy(0.6), answer=noisy(0.2)) for kind in (Bench, Interrupted))
    assert measure(ask(), bench, lane).pairs == measure(ask(), plain, Lane()).pairs
    assert bench.asked == [*plain.asked[:8], *plain.asked[6:]]


@pytest.mark.parametrize("quantity", list(Quantity))
def test_a_job_may_begin_in_any_run(ask: Any, quantity: Quantity) -> None:
    lane, disturbed = Lane(), set[int]()

    class Disturbed(Bench):
        def run(self, package: Package, source: str, seed: int, cancelled: Callable[[], bool]) -> Run:
            run = super().run(package, source, seed, cancelled)
            if seed in disturbed:
                return run
            disturbed.add(seed)
            with lane.job():
                raise JobCancelled

    bench = Disturbed(baseline=noisy(0.6), answer=noisy(0.2))
    assert measure(ask(msgspec.structs.replace(PLAN, quantity=quantity)), bench, lane).operators


def test_a_machine_that_never_pauses_is_a_fault(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "LOOK_S", 0.01)
    monkeypatch.setattr(measuring, "WAIT_S", 0.05)
    lane = Lane()
    with lane.job(), pytest.raises(Starved, match=NO_PAUSE):
        measure(ask(), Bench(baseline=noisy(0.6), answer=noisy(0.2)), lane)


def test_the_claim_about_operators_is_plain_text(ask: Any) -> None:
    found = measure(ask(), Bench(baseline=noisy(0.6), answer=noisy(0.2)), Lane())
    assert [(each.name, each.share) for each in found.operators] == [("mm", 0.75), ("bad\ufffdname", 0.25)]


def test_the_derived_package_holds_no_hidden_test(package: Package) -> None:
    made_package = derived(package, PLAN)
    assert made_package.tests_source != package.tests_source
    assert "SIZES += [(16, 10), (64, 20)]" in made_package.tests_source
    assert made_package.probes.startswith(CHAIN)
    assert made_package.digest != derived(package, msgspec.structs.replace(PLAN, chain=CHAIN + "\n")).digest
    one = only(made_package, name_of("chain", 64), 3.0)
    assert [test.id for test in one.lock.tests] == ["test_chain[64]"]
    assert one.digest == made_package.digest
    assert (one.info.limits.cpu_s_per_call, one.info.limits.cpu_s) == (3.0, 6.0)
