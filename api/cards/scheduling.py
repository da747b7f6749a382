"""When a card comes back: the FSRS scheduler applied to a row. No fuzz, so a button's interval is the one that it gives."""

import json
from datetime import datetime, timedelta
from typing import Any

from fsrs import Card, Rating, Scheduler, State

from api.cards.models import CardState

# What was forgotten is asked again in ten minutes; everything else comes back on another day.
STEP = timedelta(minutes=10)
SCHEDULER = Scheduler(learning_steps=(STEP,), relearning_steps=(STEP,), maximum_interval=365, enable_fuzzing=False)
RATINGS = {"again": Rating.Again, "hard": Rating.Hard, "good": Rating.Good, "easy": Rating.Easy}
SCHEDULED = ("state", "step", "stability", "difficulty")
MOMENTS = ("due", "last_review", "learnt_at")


def in_review(row: CardState) -> bool:
    """Whether it is known well enough to come back by days; else it is still being learnt and comes back in minutes."""
    return row.state == State.Review


def intervals(row: CardState | None, moment: datetime) -> dict[str, int]:
    """Seconds until the card comes back, by grade."""
    card = _card(row, moment)
    return {
        name: int((_reviewed(card, rating, moment).due - moment).total_seconds()) for name, rating in RATINGS.items()
    }


def grade(row: CardState, rating: Rating, moment: datetime) -> None:
    """Change a row as a grade changes it."""
    card = _reviewed(_card(row, moment), rating, moment)
    row.state, row.step, row.stability, row.difficulty = card.state.value, card.step, card.stability, card.difficulty
    row.due, row.last_review = card.due, moment
    row.learnt_at = row.learnt_at or moment


def remember(row: CardState) -> str:
    """The schedule of a row as JSON, for `bring_back`."""
    told: dict[str, Any] = {name: getattr(row, name) for name in SCHEDULED}
    moments = {name: getattr(row, name) for name in MOMENTS}
    return json.dumps({**told, **{name: moment and moment.isoformat() for name, moment in moments.items()}})


def bring_back(row: CardState, remembered: str) -> None:
    """Give a row the schedule that it had."""
    told = json.loads(remembered)
    for name in SCHEDULED:
        setattr(row, name, told[name])
    for name in MOMENTS:
        setattr(row, name, told[name] and datetime.fromisoformat(told[name]))


def _reviewed(card: Card, rating: Rating, moment: datetime) -> Card:
    return SCHEDULER.review_card(card, rating, moment)[0]


def _card(row: CardState | None, moment: datetime) -> Card:
    if row is None or row.learnt_at is None:
        return Card(card_id=0, due=moment)
    return Card(0, State(row.state), row.step, row.stability, row.difficulty, row.due, row.last_review)
