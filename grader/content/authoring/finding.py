"""Defines the findings that the checks of a challenge report to its author."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something that an author must fix: where it is, and what to do."""

    where: str
    text: str
