"""Defines the findings that the checks of a challenge report to its author."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A problem that an author must fix. `where` names the place, and `text` says what to do."""

    where: str
    text: str
