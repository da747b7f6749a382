"""What progress and profiles look like over HTTP."""

from datetime import date, datetime

from pydantic import BaseModel, ConfigDict


class LastView(BaseModel):
    """What you worked on last."""

    slug: str
    at: datetime
    solved: bool


class TrackProgress(BaseModel):
    """How much of a track is solved; `next` is its first challenge that is not."""

    id: str
    solved: int
    challenges: int
    next: str | None


class ProgressView(BaseModel):
    """How far you are: challenges by slug. `tried` are those you sent something for and have not solved. `streak` counts days
    in a row (UTC) on which you submitted something or began a quiz. `next` is what to do next; null when all is solved.
    """

    solved: list[str]
    tried: list[str]
    points: int
    streak: int
    last: LastView | None
    next: str | None
    tracks: list[TrackProgress]


class SolveView(BaseModel):
    """A solved challenge; `tries` counts what was submitted until it was accepted."""

    model_config = ConfigDict(from_attributes=True)
    slug: str
    points: int
    tries: int
    solved_at: datetime


class DayView(BaseModel):
    """How much was done on a day (UTC)."""

    day: date
    count: int


class BadgeView(BaseModel):
    """A deed, why it is worth a mention, and when it was done."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    title: str
    reason: str
    at: datetime


class ProfileView(BaseModel):
    """Somebody as others see them. `rank` is the overall one of all time; null for who has solved nothing, or is not listed.
    `days` are those of the last 53 weeks on which something was done.
    """

    id: str
    name: str
    since: datetime
    own: bool
    listed: bool
    points: int
    rank: int | None
    streak: int
    solves: list[SolveView]
    days: list[DayView]
    badges: list[BadgeView]
