"""Judges an answer in a Docker cell, and checks everything that must be true no matter what the answer tries."""

import time
from pathlib import Path

from grader.content.package import Package
from grader.contract.job import Judgement, Verdict
from grader.judging.workbench import Workbench, a_job
from tests.attacks.aftermath import descriptors, descriptors_within, kinds_open, left_in_cell, settled, strangers

GRACE_S = 2.0
PRESSURE = Path("/proc/pressure/cpu")
CANARY = "CANARY"
UNSHOWABLE = set("\x00\x07\x1b\x7f")


def trial(bench: Workbench, package: Package, source: str) -> Judgement:
    """Judge `source` in one slot and an honest answer in the other. Then check that nothing was left behind, and judge an
    honest answer in the attacked slot. If the grader itself fails, raise that failure.
    """
    _complete(bench, package)
    before, waited = descriptors(), _waited_s()
    judgement, took = _with_neighbour(bench, package, source)
    # The grader does not count the time in which an answer waits for a processor, so this check does not count it either.
    took -= _waited_s() - waited
    # Limits are in seconds of the reference machine. A slower machine may take proportionally longer.
    most = (3 * package.info.limits.cpu_s + GRACE_S) / min(1.0, bench.speed.value)
    assert took <= most, f"{took:.1f} s\n{outline(judgement)}"
    _check_text(judgement)
    _check_aftermath(bench, before)
    _accepted(bench.judge(a_job(package, package.reference), package), "after it, in the same slot")
    return judgement


def _waited_s() -> float:
    """Return for how many seconds since boot at least one process waited for a processor, or 0 if the kernel does not say."""
    try:
        some = PRESSURE.read_text().splitlines()[0]
    except OSError:
        return 0.0
    return int(some.rpartition("total=")[2]) / 1e6


def outline(judgement: Judgement) -> str:
    """Return a judgement as lines of text, for the message of a failed test."""
    rows = [f"{test.id} {test.verdict} {test.message!r}" for test in judgement.tests]
    return "\n".join([f"{judgement.verdict} {judgement.message!r} {judgement.cpu_s} s CPU", *rows])


def first_message(judgement: Judgement) -> str:
    """Return the first message for the candidate: the message of the judgement or, if it has none, of the first test with the
    same verdict.
    """
    return judgement.message or next((t.message for t in judgement.tests if t.verdict is judgement.verdict), "")


def _with_neighbour(bench: Workbench, package: Package, source: str) -> tuple[Judgement, float]:
    """Judge `source` in the first slot, beside an honest answer. Return its judgement, and the seconds until the judgement
    arrived.
    """
    attack, neighbour = a_job(package, source), a_job(package, package.reference)
    started = time.monotonic()
    ends: dict[str, tuple[Judgement, float]] = {}
    for end in bench.judge_all([(attack, package), (neighbour, package)]):
        if end.judgement is None:
            raise end.fault or AssertionError("the job was stopped")
        ends[end.job.id] = (end.judgement, time.monotonic() - started)
    _accepted(ends[neighbour.id][0], "at the same time, in the other slot")
    return ends[attack.id]


def _accepted(judgement: Judgement, when: str) -> None:
    assert judgement.verdict is Verdict.AC, f"an honest answer {when}: {outline(judgement)}"


def _check_text(judgement: Judgement) -> None:
    """Check that the results of hidden tests contain no text that the answer chose. Such text contains the word CANARY. Also
    check that all text can be stored, sent and displayed.
    """
    hidden = [text for test in judgement.tests if not test.sample for text in (test.message, test.stdout)]
    assert not any(CANARY in text for text in hidden)
    assert CANARY not in judgement.output
    for text in (judgement.message, judgement.output, *(f"{t.message}{t.stdout}" for t in judgement.tests)):
        text.encode("utf-8")
        assert not set(text) & UNSHOWABLE
        assert len(text) < 200_000


def _complete(bench: Workbench, package: Package) -> None:
    """Open everything that the bench may keep open, before its file descriptors are counted. This includes a cell in every slot
    (the last attack may have destroyed a cell), the spare cells, and what the judge keeps open once it has used a package.
    """
    bench.judge_container().describe(package)
    slots = [settled(bench, number) for number in range(len(bench._slots))]
    if not all(slot.warm for slot in slots):
        for end in bench.judge_all([(a_job(package, package.reference), package) for _ in slots]):
            if end.judgement is None:
                raise end.fault or AssertionError("the job was stopped")
            _accepted(end.judgement, "that opens a cell")
        for number in range(len(slots)):
            settled(bench, number)
    bench.spares.wait_until_warm()


def _check_aftermath(bench: Workbench, descriptors_before: int) -> None:
    slots = [settled(bench, number) for number in range(len(bench._slots))]
    for slot in slots:
        assert left_in_cell(slot) == []
    assert strangers(bench) == []
    assert descriptors_within(descriptors_before + 4), f"more than {descriptors_before} + 4 are open: {kinds_open()}"
