"""Provides the shapes of a report's blocks (see `program.py`), and the formats of numbers, times and durations in them."""

from datetime import datetime
from typing import Any

Block = dict[str, Any]


def heading(text: str) -> Block:
    return {"kind": "heading", "text": text}


def table(head: list[str], widths: list[int], rows: list[list[str]], left: int = 1) -> Block:
    return {"kind": "table", "head": head, "widths": widths, "rows": rows, "left": left}


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}%"


def moment(moment: datetime) -> str:
    return f"{moment:%d %B %Y, %H:%M} UTC"


def lasting(seconds: float | None) -> str:
    """Format a duration, or return a dash if it is None."""
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    if minutes >= 10 or (minutes and not rest):
        return f"{minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
