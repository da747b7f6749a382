"""Response bodies of weekly challenges."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

WeeklyKind = Literal["correctness", "scored"]


class WeeklyChallengeView(BaseModel):
    """A challenge of a week. `solvers` is how many accounts solved it for the first time in that week. Its board is that of the
    challenge with the week as `window`.
    """

    kind: WeeklyKind
    slug: str
    title: str
    solvers: int


class WeekView(BaseModel):
    """An ISO week such as 2026-W47, in UTC, and its challenges. Challenges that have left the catalogue are left out."""

    week: str
    begins_at: datetime
    ends_at: datetime
    challenges: list[WeeklyChallengeView]


class WeekPage(BaseModel):
    """Weeks, the latest first; the first page begins with the current week. `next_cursor` is null on the last page."""

    items: list[WeekView]
    next_cursor: str | None
