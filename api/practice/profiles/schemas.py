"""Response bodies of progress and profiles."""

from datetime import date, datetime

from pydantic import BaseModel, ConfigDict

from api.practice.speed_boards.schemas import ProfileSpeed


class LastView(BaseModel):
    """The challenge that you worked on last."""

    slug: str
    at: datetime
    solved: bool


class TrackProgress(BaseModel):
    """How many challenges of a track are solved. `next` is the first unsolved one."""

    id: str
    solved: int
    challenges: int
    next: str | None


class ProgressView(BaseModel):
    """Your progress. `solved` contains the slugs of the challenges that you have solved, and `tried` the slugs of those that
    you have tried but not solved. `solved_this_week` counts the challenges that you have solved since Monday (UTC).
    `next` is the slug of the challenge to do next, or null if all are solved.
    """

    solved: list[str]
    tried: list[str]
    points: int
    solved_this_week: int
    last: LastView | None
    next: str | None
    tracks: list[TrackProgress]


class SolveView(BaseModel):
    """A solved challenge. `tries` counts the submissions to the challenge up to and including the accepted one."""

    model_config = ConfigDict(from_attributes=True)
    slug: str
    points: int
    tries: int
    solved_at: datetime


class DayView(BaseModel):
    """How many answers were submitted plus how many quizzes were begun on a day (UTC)."""

    day: date
    count: int


class BadgeView(BaseModel):
    """An achievement, the reason for the badge, and when it was reached."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    title: str
    reason: str
    at: datetime


class ProfileView(BaseModel):
    """The profile of an account. `own` says whether the account is yours. `rank` is its rank on the overall board for all time,
    or null if the account has solved nothing or is not listed. `solved_this_week` counts the challenges that the account has
    solved since Monday (UTC). `days` contains the days of the last 53 weeks on which the account was active. `speed` contains its
    places on the speed boards of scored challenges.
    """

    id: str
    name: str
    since: datetime
    own: bool
    listed: bool
    points: int
    rank: int | None
    solved_this_week: int
    solves: list[SolveView]
    days: list[DayView]
    badges: list[BadgeView]
    speed: list[ProfileSpeed]


class FollowedPerson(BaseModel):
    """A person that you follow, and since when."""

    id: str
    name: str
    followed_at: datetime


class FollowingView(BaseModel):
    """The people that you follow, the latest first. People whose profile is private are left out. `followers` is how many
    people follow you. Nobody can see who they are.
    """

    items: list[FollowedPerson]
    followers: int
