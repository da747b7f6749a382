"""Plans today's revision of a deck: which cards are due, which new cards may be started, and how many cards become due on each
of the next days.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from api.practice.cards.deck import Card
from api.practice.cards.models import CardState
from api.practice.cards.scheduling import in_review

FORECAST_DAYS = 14
AHEAD = timedelta(minutes=20)
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Day:
    """A learner's day, from midnight to midnight in their time zone. `now` is the current time."""

    now: datetime
    start: datetime

    @classmethod
    def of(cls, moment: datetime, offset: int) -> "Day":
        """Return the day that contains a moment. `offset` is the time zone in minutes east of UTC."""
        shift = timedelta(minutes=offset)
        return cls(moment, (moment + shift).replace(hour=0, minute=0, second=0, microsecond=0) - shift)

    @property
    def end(self) -> datetime:
        return self.start + ONE_DAY


@dataclass(frozen=True)
class Plan:
    """A learner's plan for today. `queue` contains the cards to show, in order: first those that were graded before and are
    due, then new ones. `due` and `new` are the numbers of these cards. `waiting` is how many cards come back in a few minutes.
    `learnt` is how many cards of the deck were ever graded, and `unlearnt` how many were not. `next_due_at` is when the next
    card that is not in the queue becomes due. `forecast` is how many reviews are due on each day, starting with
    today; new cards are not counted.
    """

    queue: Sequence[Card]
    due: int
    new: int
    waiting: int
    learnt: int
    unlearnt: int
    next_due_at: datetime | None
    forecast: Sequence[int]


def plan(cards: Sequence[Card], rows: Mapping[str, CardState], new_left: int, day: Day, *, ahead: bool = False) -> Plan:
    """Return the plan for a deck. With `ahead`, cards that become due within the next 20 minutes count as due. `new_left` is
    how many more new cards can be started today.
    """
    active = [card for card in cards if not (card.id in rows and rows[card.id].suspended)]
    known = {card.id: rows[card.id] for card in active if card.id in rows and rows[card.id].learnt_at}
    minutes = [card for card in active if card.id in known and not in_review(known[card.id])]
    days = [card for card in active if card.id in known and in_review(known[card.id])]
    soon = day.now + (AHEAD if ahead else timedelta())
    ready = [card for card in minutes if known[card.id].due <= soon]
    due = [card for card in days if known[card.id].due < day.end]
    unlearnt = sorted((card for card in active if card.id not in known), key=lambda card: _wanted(rows.get(card.id)))
    new = unlearnt[: max(0, new_left)]
    by_due = sorted(ready, key=lambda card: known[card.id].due) + sorted(due, key=lambda card: known[card.id].due)
    later = known.keys() - {card.id for card in by_due}
    return Plan(
        queue=[*by_due, *new],
        due=len(by_due),
        new=len(new),
        waiting=len(minutes) - len(ready),
        learnt=len(known),
        unlearnt=len(unlearnt),
        next_due_at=min((known[name].due for name in later), default=None),
        forecast=_forecast(known, day),
    )


def _wanted(row: CardState | None) -> float:
    """Return the sort key of a new card. Cards that the account added to its deck come first, in the order in which it added
    them.
    """
    return row.added_at.timestamp() if row else float("inf")


def _forecast(known: Mapping[str, CardState], day: Day) -> list[int]:
    counts = [0] * FORECAST_DAYS
    for row in known.values():
        place = max(0, (row.due - day.start) // ONE_DAY)
        if place < FORECAST_DAYS:
            counts[place] += 1
    return counts
