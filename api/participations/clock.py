"""When a participation is over. Everything here is plain arithmetic on moments (UTC) and seconds; nothing reads a clock, so every
rule can be tested at the second.

The deadline is the earlier of start + duration and the end of the window, both moved by extra time and by time given back.
What arrives at the deadline still counts: the moment of receipt decides, not the one at which it was dealt with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

# A wait in the queue of so long is usual; what goes beyond it is given back.
USUAL_WAIT_S = 10


@dataclass(frozen=True)
class Terms:
    """What decides on a deadline. `extra_s` is one person's own; `given_back_s` was lost through no fault of theirs."""

    started_at: datetime
    minutes: int
    closes_at: datetime | None
    extra_s: int = 0
    given_back_s: int = 0


@dataclass(frozen=True)
class Lost:
    """A stretch of time in which nobody could work."""

    begins_at: datetime
    ends_at: datetime


def deadline(terms: Terms) -> datetime:
    """The last moment at which something counts."""
    by_duration = terms.started_at + timedelta(minutes=terms.minutes)
    end = by_duration if terms.closes_at is None else min(by_duration, terms.closes_at)
    return end + timedelta(seconds=terms.extra_s + terms.given_back_s)


def section_deadline(terms: Terms, opened_at: datetime | None, minutes: int | None) -> datetime:
    """The last moment for a section, whose own time runs from its first opening; never after the whole."""
    whole = deadline(terms)
    if opened_at is None or minutes is None:
        return whole
    own = opened_at + timedelta(minutes=minutes, seconds=terms.extra_s + terms.given_back_s)
    return min(own, whole)


def counts(received_at: datetime, end: datetime) -> bool:
    """Whether something that arrived at this moment arrived in time."""
    return received_at <= end


def left_s(moment: datetime, end: datetime) -> int:
    """Whole seconds until the end; 0 after it."""
    return max(0, int((end - moment).total_seconds()))


def last_start(closes_at: datetime, extra_s: int) -> datetime:
    """The last moment at which somebody with extra time may start."""
    return closes_at + timedelta(seconds=extra_s)


def costs(terms: Terms, lost: Sequence[Lost]) -> list[float]:
    """Seconds that each of these stretches cost, in their order. What overlaps counts once, for the one that began first, and
    only what began while time was left counts: then all of it does, since whoever had five minutes left when it began must have
    five minutes left when it is over.
    """
    found, reached = [0.0] * len(lost), terms.started_at
    for place in sorted(range(len(lost)), key=lambda place: lost[place].begins_at):
        begins = max(lost[place].begins_at, reached)
        end = deadline(Terms(terms.started_at, terms.minutes, terms.closes_at, terms.extra_s, int(sum(found))))
        if begins > end or lost[place].ends_at <= begins:
            continue
        found[place] = (lost[place].ends_at - begins).total_seconds()
        reached = lost[place].ends_at
    return found


def given_back_s(terms: Terms, lost: Sequence[Lost]) -> int:
    """Whole seconds that these stretches cost together."""
    return int(sum(costs(terms, lost)))


def wait(queued_at: datetime, judged_from: datetime) -> Lost | None:
    """What a wait in our queue cost, if it was longer than usual."""
    usual = queued_at + timedelta(seconds=USUAL_WAIT_S)
    return Lost(usual, judged_from) if judged_from > usual else None
