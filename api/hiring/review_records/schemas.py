"""Response bodies of manual points and decisions."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel

DecisionName = Literal["advance", "hold", "reject", "none"]


Mode = Literal["set", "add", "none"]


class ManualView(BaseModel):
    """Manual points with their reason. `by` is the name of the member who gave them, or null if that member's account was
    deleted.
    """

    id: str
    mode: Mode
    points: float
    reason: str
    by: str | None
    at: datetime


def manual_view(row: Any, by: str | None) -> ManualView:
    return ManualView(id=row.id, mode=row.mode, points=row.points, reason=row.reason, by=by, at=row.given_at)
