"""An answer on trial: judged in a Docker cell, with everything checked that must hold whatever the answer tries."""

import time

from grader.job import Judgement, Verdict
from grader.package import Package
from grader.workbench import Workbench, a_job
from tests.attacks.aftermath import descriptors, descriptors_within, files_left, settled, strangers

GRACE_S = 2.0
CANARY = "CANARY"
UNSHOWABLE = set("\x00\x07\x1b\x7f")


def trial(bench: Workbench, package: Package, source: str) -> Judgement:
    """Judge `source` in one slot and an honest answer beside it in the other, look around, then judge an honest answer
    in the slot that was attacked. A fault of ours is raised."""
    # What the judge keeps of a package stays from its first use on: it is there before anything is counted.
    bench.judge_container().describe(package)
    _all_settled(bench)
    before = descriptors()
    judgement, took = _with_neighbour(bench, package, source)
    assert took <= 3 * package.info.limits.cpu_s + GRACE_S, f"{took:.1f} s\n{outline(judgement)}"
    _check_text(judgement)
    _check_aftermath(bench, before)
    _accepted(bench.judge(a_job(package, package.reference), package), "after it, in the same slot")
    return judgement


def outline(judgement: Judgement) -> str:
    """A judgement in lines, for the person who reads the failure."""
    rows = [f"{test.id} {test.verdict} {test.message!r}" for test in judgement.tests]
    return "\n".join([f"{judgement.verdict} {judgement.message!r} {judgement.cpu_s} s CPU", *rows])


def first_message(judgement: Judgement) -> str:
    """What a candidate reads first: the judgement's message, or that of the test that gave the verdict."""
    return judgement.message or next((t.message for t in judgement.tests if t.verdict is judgement.verdict), "")


def _with_neighbour(bench: Workbench, package: Package, source: str) -> tuple[Judgement, float]:
    """The judgement of `source` in the first slot, and the seconds until it was there."""
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
    """Hidden tests tell nothing that the answer chose itself; all text can be stored, sent and shown."""
    hidden = [text for test in judgement.tests if not test.sample for text in (test.message, test.stdout)]
    assert not any(CANARY in text for text in hidden)
    assert CANARY not in judgement.output
    for text in (judgement.message, judgement.output, *(f"{t.message}{t.stdout}" for t in judgement.tests)):
        text.encode("utf-8")
        assert not set(text) & UNSHOWABLE
        assert len(text) < 200_000


def _all_settled(bench: Workbench) -> None:
    for number in range(len(bench._slots)):
        settled(bench, number)


def _check_aftermath(bench: Workbench, descriptors_before: int) -> None:
    slots = [settled(bench, number) for number in range(len(bench._slots))]
    for slot in slots:
        assert slot._cell is None or slot._cell.findings == []
        assert files_left(slot) == []
    assert strangers(bench) == []
    assert descriptors_within(descriptors_before + 4), "the node has lost descriptors"
