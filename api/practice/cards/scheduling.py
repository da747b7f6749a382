"""Schedules when a card comes back, with the FSRS scheduler. The scheduler's random variation of intervals is disabled, so that
the interval that each grade button shows is exact.
"""

import json
from datetime import datetime, timedelta
from typing import Any

from fsrs import Card, Rating, Scheduler, State

from api.practice.cards.models import CardState

# The interval of cards that are being learnt, which are new or were forgotten. Such a card comes back after ten minutes, or
# after fifteen minutes if it was graded hard. Once it is graded good or easy, its interval is in days.
STEP = timedelta(minutes=10)
SCHEDULER = Scheduler(learning_steps=(STEP,), relearning_steps=(STEP,), maximum_interval=365, enable_fuzzing=False)
RATINGS = {"again": Rating.Again, "hard": Rating.Hard, "good": Rating.Good, "easy": Rating.Easy}
SCHEDULED = ("state", "step", "stability", "difficulty")
MOMENTS = ("due", "last_review", "learnt_at")


def in_review(row: CardState) -> bool:
    """Return whether the card's interval is in days. A card that is still being learnt comes back after minutes."""
    return row.state == State.Review


def intervals(row: CardState | None, moment: datetime) -> dict[str, int]:
    """Return, for each grade that could be given now, after how many seconds the card would come back."""
    card = _card(row, moment)
    return {
        name: int((_reviewed(card, rating, moment).due - moment).total_seconds()) for name, rating in RATINGS.items()
    }


def grade(row: CardState, rating: Rating, moment: datetime) -> None:
    """Give a card a grade: compute the new schedule, and store it in the row."""
    card = _reviewed(_card(row, moment), rating, moment)
    row.state, row.step, row.stability, row.difficulty = card.state.value, card.step, card.stability, card.difficulty
    row.due, row.last_review = card.due, moment
    row.learnt_at = row.learnt_at or moment


def dump_schedule(row: CardState) -> str:
    """Return the schedule of a row as JSON, for `restore_schedule`."""
    fields: dict[str, Any] = {name: getattr(row, name) for name in SCHEDULED}
    moments = {name: getattr(row, name) for name in MOMENTS}
    return json.dumps({**fields, **{name: moment and moment.isoformat() for name, moment in moments.items()}})


def restore_schedule(row: CardState, remembered: str) -> None:
    """Set a row's schedule to one that `dump_schedule` returned."""
    fields = json.loads(remembered)
    for name in SCHEDULED:
        setattr(row, name, fields[name])
    for name in MOMENTS:
        setattr(row, name, fields[name] and datetime.fromisoformat(fields[name]))


def _reviewed(card: Card, rating: Rating, moment: datetime) -> Card:
    return SCHEDULER.review_card(card, rating, moment)[0]


def _card(row: CardState | None, moment: datetime) -> Card:
    if row is None or row.learnt_at is None:
        return Card(card_id=0, due=moment)
    return Card(0, State(row.state), row.step, row.stability, row.difficulty, row.due, row.last_review)
