"""Request and response bodies of revision cards."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from api.content.catalogue.schemas import Word
from api.kit.text import CleanText
from api.practice.cards.deck import Kind

CardId = Annotated[str, StringConstraints(min_length=1, max_length=240), CleanText]
Grade = Literal["again", "hard", "good", "easy"]
DeckName = Literal["all", "mine", "section", "track", "missed"]


class WantedDeck(BaseModel):
    """Selects a deck. If `deck` is `section` or `track`, `name` is the section or the ID of the track. `offset` is your time
    zone in minutes east of UTC, which decides when your day begins. With `ahead`, cards that become due within the next 20
    minutes are shown now.
    """

    model_config = ConfigDict(extra="forbid")
    deck: DeckName = "all"
    name: Word = ""
    offset: Annotated[int, Field(ge=-720, le=840)] = 0
    ahead: bool = False


class NewReview(BaseModel):
    """A grade for how well you remembered the answer. `version` is the version that the card had when it was shown. If you send
    the same grade for the same version twice, it counts once.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"card": "stable-softmax:answer", "rating": "good", "version": 0}}
    )
    card: CardId
    rating: Grade
    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]


class Suspension(BaseModel):
    """Whether a card is suspended."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"card": "stable-softmax:answer", "suspended": True}}
    )
    card: CardId
    suspended: StrictBool


class CardSettings(BaseModel):
    """How many new cards you want per day, 0 to 100."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"new_per_day": 10}})
    new_per_day: Annotated[int, Field(strict=True, ge=0, le=100)]


class Intervals(BaseModel):
    """Seconds until the card would come back, by the grade that you give."""

    again: int
    hard: int
    good: int
    easy: int


class CardView(BaseModel):
    """A card to revise. `front` and `back` are Markdown. `stage` is `new`, `learning` (the card comes back in minutes) or
    `review` (the card comes back in days).
    """

    id: str
    topic: str
    topic_title: str
    section: str
    kind: Kind
    front: str
    back: str
    version: int
    stage: Literal["new", "learning", "review"]
    intervals: Intervals


class RevisionView(BaseModel):
    """What you have to revise today in one deck of cards. `cards` contains the next cards, at most three. `due` and `new`
    say how many due and new cards are left for today, and `waiting` how many cards come back in a few minutes. `done`
    counts the grades that you gave today, in all decks. `forecast` is the number of reviews that are due on each
    day, starting with today; new cards are not counted. `undo` is the ID of your last grade, if it can be undone.
    """

    cards: list[CardView]
    due: int
    new: int
    waiting: int
    done: int
    learnt: int
    unlearnt: int
    suspended: int
    next_due_at: datetime | None
    forecast: list[int]
    new_per_day: int
    undo: str | None


class ReviewView(BaseModel):
    """A stored grade, and when the card comes back."""

    id: str
    card: str
    version: int
    due: datetime


class SuspendedCard(BaseModel):
    """A suspended card, which is not shown for revision. `front` is Markdown."""

    id: str
    topic: str
    topic_title: str
    front: str


class SuspendedPage(BaseModel):
    """One page of suspended cards; `next_cursor` is null on the last page."""

    items: list[SuspendedCard]
    next_cursor: str | None


class TopicCards(BaseModel):
    """How many cards of a topic you can see, and how many of them are in your deck. A card is in your deck once you have added
    or graded it, unless it is suspended.
    """

    cards: int
    mine: int
