"""What revision cards look like over HTTP."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from api.cards.deck import Kind
from api.catalogue.schemas import Word
from api.text import CleanText

CardId = Annotated[str, StringConstraints(min_length=1, max_length=240), CleanText]
Grade = Literal["again", "hard", "good", "easy"]
DeckName = Literal["all", "mine", "section", "track", "missed"]


class WantedDeck(BaseModel):
    """Which cards: `name` is the section or the track. `offset`: minutes east of UTC, so that a day begins where you are.
    `ahead` shows at once what would come back within minutes.
    """

    model_config = ConfigDict(extra="forbid")
    deck: DeckName = "all"
    name: Word = ""
    offset: Annotated[int, Field(ge=-720, le=840)] = 0
    ahead: bool = False


class NewReview(BaseModel):
    """A grade: how well the answer was remembered. `version` is the card's when it was shown; sent twice it counts once."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"card": "stable-softmax:answer", "rating": "good", "version": 0}}
    )
    card: CardId
    rating: Grade
    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]


class Suspension(BaseModel):
    """Whether a card is set aside."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"card": "stable-softmax:answer", "suspended": True}}
    )
    card: CardId
    suspended: StrictBool


class CardSettings(BaseModel):
    """How many new cards a day, 0 to 100."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"new_per_day": 10}})
    new_per_day: Annotated[int, Field(strict=True, ge=0, le=100)]


class Intervals(BaseModel):
    """Seconds until the card comes back, by grade."""

    again: int
    hard: int
    good: int
    easy: int


class CardView(BaseModel):
    """A card to be revised; front and back are Markdown. `stage`: new, being learnt (minutes), or known (days)."""

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
    """What a deck asks of you today. `cards` are the next ones (three at most) of `due` and `new`; `waiting` come back within
    minutes; `done` counts today's grades in every deck; `forecast` counts the cards due today and on each of the following
    days; `undo` is the review that can be taken back.
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
    """A grade that was written down, and when the card comes back."""

    id: str
    card: str
    version: int
    due: datetime


class SuspendedCard(BaseModel):
    """A card that was set aside; front is Markdown."""

    id: str
    topic: str
    topic_title: str
    front: str


class SuspendedPage(BaseModel):
    """One page of cards that were set aside; `next_cursor` is null on the last page."""

    items: list[SuspendedCard]
    next_cursor: str | None


class TopicCards(BaseModel):
    """How many cards a topic has for you, and how many of them are among yours (added, or begun)."""

    cards: int
    mine: int
