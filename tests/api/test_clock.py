"""Deadlines at the second: before, at, after, extended, paused, and the end of the window."""

from datetime import UTC, datetime, timedelta

import pytest

from api.participations.clock import (
    Lost,
    Terms,
    costs,
    counts,
    deadline,
    given_back_s,
    last_start,
    left_s,
    section_deadline,
    wait,
)

NINE = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


def at(minutes: float = 0, seconds: float = 0) -> datetime:
    """So long after nine."""
    return NINE + timedelta(minutes=minutes, seconds=seconds)


def terms(closes: float | None = None, extra_s: int = 0, given_back: int = 0) -> Terms:
    """An hour from nine on."""
    return Terms(NINE, 60, None if closes is None else at(closes), extra_s, given_back)


@pytest.mark.parametrize(
    ("closes", "extra_s", "given_back", "ends"),
    [
        (None, 0, 0, at(60)),
        (90, 0, 0, at(60)),
        (30, 0, 0, at(30)),
        (60, 0, 0, at(60)),
        (None, 900, 0, at(75)),
        (30, 900, 0, at(45)),
        (70, 900, 0, at(75)),
        (None, 0, 61, at(61, 1)),
        (30, 60, 60, at(32)),
    ],
)
def test_deadline_is_the_earlier_of_two_and_both_are_moved(
    closes: float | None, extra_s: int, given_back: int, ends: datetime
) -> None:
    assert deadline(terms(closes, extra_s, given_back)) == ends


def test_what_arrives_at_the_deadline_counts_and_a_moment_later_does_not() -> None:
    end = deadline(terms())
    assert counts(at(59, 59), end)
    assert counts(at(60), end)
    assert not counts(end + timedelta(microseconds=1), end)
    assert not counts(at(60, 1), end)
    assert counts(at(60, 1), deadline(terms(extra_s=1)))


def test_seconds_left_end_at_nought() -> None:
    assert [left_s(at(59, 58.5), at(60)), left_s(at(60), at(60)), left_s(at(61), at(60))] == [1, 0, 0]


def test_the_window_stays_open_longer_for_whoever_has_extra_time() -> None:
    assert last_start(at(30), 600) == at(40)


def test_time_of_a_section_runs_from_its_first_opening_and_not_beyond_the_whole() -> None:
    assert section_deadline(terms(), at(10), 20) == at(30)
    assert section_deadline(terms(extra_s=60), at(10), 20) == at(31)
    assert section_deadline(terms(), at(50), 20) == at(60)
    assert section_deadline(terms(), None, 20) == section_deadline(terms(), at(5), None) == at(60)


def test_an_outage_gives_back_what_it_took() -> None:
    assert given_back_s(terms(), [Lost(at(20), at(27))]) == 7 * 60
    assert given_back_s(terms(), []) == 0


def test_what_overlaps_is_given_back_once() -> None:
    lost = [Lost(at(20), at(30)), Lost(at(25), at(35)), Lost(at(22), at(24)), Lost(at(20), at(30))]
    assert given_back_s(terms(), lost) == 15 * 60


def test_what_overlaps_is_told_of_the_one_that_began_first() -> None:
    lost = [Lost(at(25), at(35)), Lost(at(20), at(30)), Lost(at(22), at(24)), Lost(at(20), at(30))]
    assert costs(terms(), lost) == [5 * 60, 10 * 60, 0, 0]


def test_an_outage_before_the_start_or_after_the_end_costs_nothing() -> None:
    assert given_back_s(terms(), [Lost(at(-30), at(0)), Lost(at(60, 1), at(70))]) == 0
    assert given_back_s(terms(), [Lost(at(-30), at(5))]) == 5 * 60


def test_an_outage_over_the_deadline_gives_the_whole_rest_back() -> None:
    lost = [Lost(at(55), at(80))]
    back = given_back_s(terms(), lost)
    assert back == 25 * 60
    assert left_s(at(80), deadline(terms(given_back=back))) == 5 * 60


def test_a_second_outage_in_the_time_given_back_counts_too() -> None:
    assert given_back_s(terms(), [Lost(at(55), at(80)), Lost(at(83), at(84))]) == 26 * 60
    assert given_back_s(terms(), [Lost(at(55), at(80)), Lost(at(85, 1), at(86))]) == 25 * 60


def test_only_an_unusual_wait_in_the_queue_is_given_back() -> None:
    assert wait(at(0), at(0, 10)) is None
    assert wait(at(0), at(0, 40)) == Lost(at(0, 10), at(0, 40))
