"""Tests that each check of the invariants finds the violation that it looks for, and that a clean run has no violations."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.contract.job import Verdict
from tests.soak.answers import Answer
from tests.soak.book import Sent
from tests.soak.faults import FAULTS
from tests.soak.invariants import Evidence, Row, Step, violations
from tests.soak.schedule import plan

RIGHT = Answer("right", "attention", "source", Verdict.AC)


def sent(number: int, **more: object) -> Sent:
    one = Sent(number, f"key{number}", RIGHT, 0.0, ids=[f"s{number}"], verdict="AC", told=1.0)
    for name, value in more.items():
        setattr(one, name, value)
    return one


def row(of: int, **more: object) -> Row:
    return replace(Row(f"s{of}", 1, "judged", False, "AC", ""), **more)  # type: ignore[arg-type]


def decided(number: int, **more: object) -> Step:
    step = Step(f"s{number}", f"j{number}", "judging", "judged", "token", "token", None, "AC")
    return replace(step, **more)  # type: ignore[arg-type]


def clean() -> Evidence:
    """Return evidence of two submissions, without a violation."""
    return Evidence(
        sent=[sent(0), sent(1)],
        views={"s0": {"verdict": "AC"}, "s1": {"verdict": "AC"}},
        submissions=[("s0", "key0"), ("s1", "key1")],
        rows=[row(0), row(1)],
        steps=[decided(0), decided(1)],
        may_be_killed=frozenset(),
        kills=0,
        rejudged=frozenset(),
        integrity="ok",
    )


Break = Callable[[Evidence], Evidence]
BROKEN: dict[str, Break] = {
    "never taken in": lambda e: replace(e, sent=[sent(0), sent(1, ids=[])]),
    "it is gone": lambda e: replace(e, views={"s0": {"verdict": "AC"}, "s1": {}}),
    "taken for another": lambda e: replace(e, sent=[sent(0), sent(1, ids=["s1", "s0"])]),
    "stored more than once": lambda e: replace(e, submissions=[*e.submissions, ("s2", "key1")]),
    "nobody sent it": lambda e: replace(e, submissions=[*e.submissions, ("s2", "key2")]),
    "exactly one verdict: 1": lambda e: replace(e, rows=[row(0), row(1, status="queued", verdict=None)]),
    "exactly one verdict": lambda e: replace(e, rows=[row(0), row(1), row(1, number=2)]),
    "another verdict than without faults": lambda e: replace(e, rows=[row(0), row(1, verdict="JE")]),
    "tell different verdicts": lambda e: replace(e, sent=[sent(0), sent(1, verdict="WA")]),
    "decided more than once": lambda e: replace(e, steps=[*e.steps, decided(1, old="judged", old_verdict="AC")]),
    "did not own it": lambda e: replace(e, steps=[decided(0), decided(1, applied="an older token")]),
    "the database is damaged": lambda e: replace(e, integrity="row 3 missing from index"),
}


def test_clean_run_is_clean() -> None:
    assert violations(clean()) == []


@pytest.mark.parametrize("words", BROKEN)
def test_what_is_broken_is_found_and_named(words: str) -> None:
    assert any(words in line for line in violations(BROKEN[words](clean())))


def killed(evidence: Evidence, kills: int) -> Evidence:
    """Return evidence in which the first judging of s1 ended with RE, and a rejudge of s1 with AC."""
    return replace(
        evidence,
        sent=[sent(0), sent(1, verdict="RE")],
        rows=[row(0), row(1, verdict="RE", superseded=True), row(1, number=2)],
        may_be_killed=frozenset({"s1"}),
        kills=kills,
        rejudged=frozenset({"s1"}),
    )


def test_a_candidate_that_was_killed_may_be_blamed_once_for_each_kill() -> None:
    assert violations(killed(clean(), kills=1)) == []
    assert any("0 candidates were killed" in line for line in violations(killed(clean(), kills=0)))


def test_a_kill_excuses_nobody_else() -> None:
    spoiled = replace(killed(clean(), kills=1), may_be_killed=frozenset({"s0"}))
    assert any("another verdict" in line for line in violations(spoiled))


def test_schedule_follows_from_the_seed_and_holds_every_kind() -> None:
    count = len(FAULTS)
    assert plan(4, count) == plan(4, count)
    assert plan(4, count) != plan(5, count)
    assert {strike.fault.name for strike in plan(4, count)} == {fault.name for fault in FAULTS}
    assert all("engine" not in strike.fault.name for strike in plan(4, count, frozenset({"engine"})))
    with pytest.raises(ValueError, match="no fault has 'typo'"):
        plan(4, count, frozenset({"typo"}))
