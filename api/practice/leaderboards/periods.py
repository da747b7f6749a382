"""Periods of leaderboards: all time, months such as 2026-11, and ISO weeks such as 2026-W47, all in UTC."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, Field

WEEK = timedelta(weeks=1)


def periods(moment: datetime) -> tuple[str, str, str]:
    """Return the periods that contain a moment: all time, its month and its week, in the format of `Standing.period`."""
    return "", f"{moment.astimezone(UTC):%Y-%m}", week_of(moment)


def week_of(moment: datetime) -> str:
    """Return the ISO week that contains a moment."""
    year, week, _ = moment.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02}"


def period_of(window: str, moment: datetime) -> str:
    """Return the period that a window means at this moment. A window that is itself a period stays as it is."""
    return dict(zip(("all", "month", "week"), periods(moment), strict=True)).get(window, window)


def span(period: str) -> tuple[datetime, datetime]:
    """Return when a month or a week begins, and when it ends. Raises `ValueError` if there is no such month or week."""
    year, _, part = period.partition("-")
    if part.startswith("W"):
        begin = datetime.fromisocalendar(int(year), int(part[1:]), 1).replace(tzinfo=UTC)
        return begin, begin + WEEK
    begin = datetime(int(year), int(part), 1, tzinfo=UTC)
    return begin, (begin + timedelta(days=31)).replace(day=1)


def _checked(window: str) -> str:
    if window[0].isdigit():
        try:
            span(window)
        except ValueError:
            raise ValueError(f"there is no {window}; name a month such as 2026-11 or a week such as 2026-W47") from None
    return window


# Selects the period of a board.
Window = Annotated[
    str,
    Field(pattern=r"^(all|month|week|20[0-9]{2}-(W[0-9]{2}|[0-9]{2}))$", examples=["week", "2026-W47"]),
    AfterValidator(_checked),
]
