"""Computes deadlines. All functions calculate with times in UTC and with seconds. None of them reads a clock, so every rule can
be tested to the second.

The deadline is the start plus the assessment's minutes, or the end of the window if that is earlier. The window is the period
in which the assessment can be taken. Extra time and time given back move the deadline later. A request that arrives exactly at
the deadline still counts. What matters is the time at which a request was received, not the time at which it was processed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from api.hiring.participations.models import Participation
from api.hiring.plans.plan import Plan


@dataclass(frozen=True)
class TimeAllowance:
    """The values from which a deadline is computed. `extra_s` is the candidate's additional time. `given_back_s` is time that
    the candidate lost through outages or a slow queue.
    """

    started_at: datetime
    minutes: int
    closes_at: datetime | None
    extra_s: int = 0
    given_back_s: int = 0


@dataclass(frozen=True)
class LostTime:
    """A period in which candidates lost time because of an outage or a slow queue."""

    begins_at: datetime
    ends_at: datetime


def allowance_of(row: Participation, plan: Plan) -> TimeAllowance:
    """Return the values from which a participation's deadline is computed."""
    return TimeAllowance(row.started_at, plan.minutes, closes_at(row, plan), row.extra_s, row.given_back_s)


def original_allowance(row: Participation, plan: Plan) -> TimeAllowance:
    """Return the values from which the deadline would be computed if no lost time had been given back."""
    return TimeAllowance(row.started_at, plan.minutes, closes_at(row, plan), row.extra_s)


def closes_at(row: Participation, plan: Plan) -> datetime | None:
    """Return the end of the window of this participation. A test drive has none, so it can be taken before and after it."""
    return None if row.is_test else plan.closes_at


def deadline(allowance: TimeAllowance) -> datetime:
    """Return the last moment at which a submission or an answer counts."""
    by_duration = allowance.started_at + timedelta(minutes=allowance.minutes)
    end = by_duration if allowance.closes_at is None else min(by_duration, allowance.closes_at)
    return end + timedelta(seconds=allowance.extra_s + allowance.given_back_s)


def section_deadline(
    allowance: TimeAllowance,
    opened_at: datetime | None,
    minutes: int | None,
    lost: Sequence[LostTime] = (),
    slow: Sequence[LostTime] = (),
) -> datetime:
    """Return the last moment at which a submission or an answer counts for a section. The section's time starts when the
    candidate first opens one of its items, and ends no later than the assessment's time.

    Extra time is distributed over the sections in proportion to their minutes. A section gets back the time that was lost
    while it was running.
    """
    whole = deadline(allowance)
    if opened_at is None or minutes is None:
        return whole
    own = TimeAllowance(opened_at, minutes, None, extra_s=round(allowance.extra_s * minutes / allowance.minutes))
    return min(deadline(replace(own, given_back_s=given_back_s(own, lost, slow))), whole)


def is_in_time(received_at: datetime, end: datetime) -> bool:
    return received_at <= end


def left_s(moment: datetime, end: datetime) -> int:
    """Return the number of whole seconds until `end`, or 0 if `end` has passed."""
    return max(0, int((end - moment).total_seconds()))


def last_start(closes_at: datetime, extra_s: int) -> datetime:
    """Return the last moment at which a candidate may start: the end of the window, plus the candidate's extra time."""
    return closes_at + timedelta(seconds=extra_s)


def seconds_lost(allowance: TimeAllowance, lost: Sequence[LostTime]) -> list[float]:
    """Return the seconds that each outage cost, in the given order.

    Time that several outages cover counts once, for the outage that began first. An outage counts only if it began no later
    than the deadline. Its whole duration counts then, even beyond the deadline: a candidate who had five minutes left when the
    outage began must have five minutes left when it ends.
    """
    found, reached = [0.0] * len(lost), allowance.started_at
    for place in sorted(range(len(lost)), key=lambda place: lost[place].begins_at):
        begins = max(lost[place].begins_at, reached)
        end = deadline(
            TimeAllowance(
                allowance.started_at, allowance.minutes, allowance.closes_at, allowance.extra_s, int(sum(found))
            )
        )
        if begins > end or lost[place].ends_at <= begins:
            continue
        found[place] = (lost[place].ends_at - begins).total_seconds()
        reached = lost[place].ends_at
    return found


def seconds_waited(allowance: TimeAllowance, lost: Sequence[LostTime], slow: Sequence[LostTime]) -> list[float]:
    """Return the seconds that each period of a slow queue cost, in the given order.

    Only time between the start and the deadline counts. Time that several periods cover counts once, and time that an outage
    already gives back does not count. Time after the deadline does not count, so that the new deadline is known when the old
    one is reached, and a candidate never gets back more time than lies between the start and the deadline.
    """
    end = deadline(replace(allowance, given_back_s=int(sum(seconds_lost(allowance, lost)))))
    taken = [_within(each, allowance.started_at, end) for each in lost]
    found = []
    for each in slow:
        mine = _within(each, allowance.started_at, end)
        found.append(_covered_s([*taken, mine]) - _covered_s(taken))
        taken.append(mine)
    return found


def given_back_s(allowance: TimeAllowance, lost: Sequence[LostTime], slow: Sequence[LostTime] = ()) -> int:
    """Return the whole seconds that outages and a slow queue cost in total."""
    return int(sum(seconds_lost(allowance, lost))) + int(sum(seconds_waited(allowance, lost, slow)))


def _within(stretch: LostTime, begins_at: datetime, ends_at: datetime) -> LostTime:
    begins = max(stretch.begins_at, begins_at)
    return LostTime(begins, max(begins, min(stretch.ends_at, ends_at)))


def _covered_s(stretches: Sequence[LostTime]) -> float:
    """Return the seconds covered by at least one of these periods."""
    total, reached = 0.0, None
    for each in sorted(stretches, key=lambda each: each.begins_at):
        begins = each.begins_at if reached is None else max(each.begins_at, reached)
        if each.ends_at > begins:
            total += (each.ends_at - begins).total_seconds()
            reached = each.ends_at
    return total
