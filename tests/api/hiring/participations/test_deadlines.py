"""Tests deadlines to the second: requests before, at and after a deadline, extra time, time that is given back after an outage,
and the end of the period in which an assessment can be taken.
"""

from datetime import UTC, datetime, timedelta

import pytest

from api.hiring.participations.deadlines import (
    LostTime,
    TimeAllowance,
    deadline,
    given_back_s,
    is_in_time,
    last_start,
    left_s,
    seconds_lost,
    seconds_waited,
    section_deadline,
)

NINE = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


def at(minutes: float = 0, seconds: float = 0) -> datetime:
    """Return the moment this long after nine o'clock."""
    return NINE + timedelta(minutes=minutes, seconds=seconds)


def allowance(closes: float | None = None, extra_s: int = 0, given_back: int = 0) -> TimeAllowance:
    """Return the time allowance of a candidate who starts at nine o'clock and has one hour. `closes` is the end of the period
    in which the assessment can be taken, in minutes after nine o'clock.
    """
    return TimeAllowance(NINE, 60, None if closes is None else at(closes), extra_s, given_back)


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
    assert deadline(allowance(closes, extra_s, given_back)) == ends


def test_what_arrives_at_the_deadline_counts_and_a_moment_later_does_not() -> None:
    end = deadline(allowance())
    assert is_in_time(at(59, 59), end)
    assert is_in_time(at(60), end)
    assert not is_in_time(end + timedelta(microseconds=1), end)
    assert not is_in_time(at(60, 1), end)
    assert is_in_time(at(60, 1), deadline(allowance(extra_s=1)))


def test_seconds_left_end_at_nought() -> None:
    assert [left_s(at(59, 58.5), at(60)), left_s(at(60), at(60)), left_s(at(61), at(60))] == [1, 0, 0]


def test_the_window_stays_open_longer_for_whoever_has_extra_time() -> None:
    assert last_start(at(30), 600) == at(40)


def test_time_of_a_section_runs_from_its_first_opening_and_not_beyond_the_whole() -> None:
    assert section_deadline(allowance(), at(10), 20) == at(30)
    assert section_deadline(allowance(extra_s=60), at(10), 20) == at(30, 20)
    assert section_deadline(allowance(), at(50), 20) == at(60)
    assert section_deadline(allowance(), None, 20) == section_deadline(allowance(), at(5), None) == at(60)


def test_an_outage_gives_back_what_it_took() -> None:
    assert given_back_s(allowance(), [LostTime(at(20), at(27))]) == 7 * 60
    assert given_back_s(allowance(), []) == 0


def test_what_overlaps_is_given_back_once() -> None:
    lost = [LostTime(at(20), at(30)), LostTime(at(25), at(35)), LostTime(at(22), at(24)), LostTime(at(20), at(30))]
    assert given_back_s(allowance(), lost) == 15 * 60


def test_what_overlaps_is_told_of_the_one_that_began_first() -> None:
    lost = [LostTime(at(25), at(35)), LostTime(at(20), at(30)), LostTime(at(22), at(24)), LostTime(at(20), at(30))]
    assert seconds_lost(allowance(), lost) == [5 * 60, 10 * 60, 0, 0]


def test_an_outage_before_the_start_or_after_the_end_costs_nothing() -> None:
    assert given_back_s(allowance(), [LostTime(at(-30), at(0)), LostTime(at(60, 1), at(70))]) == 0
    assert given_back_s(allowance(), [LostTime(at(-30), at(5))]) == 5 * 60


def test_an_outage_over_the_deadline_gives_the_whole_rest_back() -> None:
    lost = [LostTime(at(55), at(80))]
    back = given_back_s(allowance(), lost)
    assert back == 25 * 60
    assert left_s(at(80), deadline(allowance(given_back=back))) == 5 * 60


def test_a_second_outage_in_the_time_given_back_counts_too() -> None:
    assert given_back_s(allowance(), [LostTime(at(55), at(80)), LostTime(at(83), at(84))]) == 26 * 60
    assert given_back_s(allowance(), [LostTime(at(55), at(80)), LostTime(at(85, 1), at(86))]) == 25 * 60


def test_a_slow_queue_gives_back_what_lies_between_start_and_end_and_an_outage_does_not_already() -> None:
    slow = [LostTime(at(-5), at(2)), LostTime(at(20), at(30)), LostTime(at(25), at(31)), LostTime(at(58), at(90))]
    assert seconds_waited(allowance(), [], slow) == [120, 600, 60, 120]
    assert given_back_s(allowance(), [], slow) == 15 * 60
    assert seconds_waited(allowance(), [LostTime(at(22), at(28))], slow) == [120, 240, 60, 8 * 60]


def test_a_queue_that_stays_slow_gives_back_no_more_once_the_end_is_reached() -> None:
    ends = [
        deadline(allowance(given_back=given_back_s(allowance(), [], [LostTime(at(50), at(until))])))
        for until in (60, 61, 900)
    ]
    assert ends == [at(70)] * 3


def test_extra_time_is_spread_over_sections_in_proportion_to_their_minutes() -> None:
    half = allowance(extra_s=1800)
    assert section_deadline(half, at(0), 15) == at(22.5)
    assert section_deadline(half, at(0), 45) == at(67.5)


def test_a_section_gets_back_only_what_it_lost_itself() -> None:
    lost, slow = [LostTime(at(5), at(10))], [LostTime(at(12), at(13)), LostTime(at(25), at(26))]
    back = allowance(given_back=given_back_s(allowance(), lost, slow))
    assert section_deadline(back, at(10), 20, lost, slow) == at(32)
    assert section_deadline(back, at(0), 20, lost, slow) == at(26)
