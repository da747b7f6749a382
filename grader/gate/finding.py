"""What an author has to mend."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something that an author has to mend: where, and what to do."""

    where: str
    text: str
