"""Provides the shapes of a report's blocks (see `program.py`), and the formats of texts, numbers, times and durations in them."""

import math
import re
from datetime import datetime
from typing import Any

Block = dict[str, Any]
VERDICTS = {
    "AC": "Accepted", "WA": "Wrong answer", "RE": "Runtime error", "TLE": "Time limit exceeded",
    "MLE": "Memory limit exceeded", "OLE": "Output limit exceeded", "CE": "Does not compile", "RV": "Not allowed",
    "JE": "Judge error",
}  # fmt: skip
# Code comes first, so that nothing inside it is taken for emphasis.
MARKDOWN = re.compile(
    r"^```[^\n]*\n(?P<block>.*?)^```[^\n]*$|`(?P<code>[^`\n]+)`|\*\*(?P<bold>\S(?:.*?\S)?)\*\*"
    r"|(?<![\w*])\*(?P<italic>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])|!?\[(?P<link>[^\]\n]*)\]\([^)\n]*\)|^\#{1,6} +",
    re.MULTILINE | re.DOTALL,
)


def heading(text: str) -> Block:
    return {"kind": "heading", "text": text}


def table(head: list[str], widths: list[int], rows: list[list[str]], left: int = 1) -> Block:
    return {"kind": "table", "head": head, "widths": widths, "rows": rows, "left": left}


def percent(share: float | None) -> str:
    """Format a share. A half is rounded up, as on the pages of the web client."""
    return "–" if share is None else f"{math.floor(100 * share + 0.5)}%"


def plain(markdown: str) -> str:
    """Return Markdown without its markup."""

    def kept(found: re.Match[str]) -> str:
        text = found[found.lastgroup] if found.lastgroup else ""
        return plain(text) if found.lastgroup in ("bold", "italic", "link") else text

    return MARKDOWN.sub(kept, markdown)


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
