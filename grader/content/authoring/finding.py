"""A finding of the checks for authors."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something that an author must fix: the place, and what to do."""

    where: str
    text: str
