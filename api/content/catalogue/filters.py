"""Searches the catalogue."""

from dataclasses import dataclass

from api.content.catalogue.catalogue import Catalogue, Challenge


@dataclass(frozen=True)
class Filters:
    """Filters of a catalogue search. An empty field does not filter."""

    section: str = ""
    difficulty: str = ""
    topic: str = ""
    q: str = ""
    scored: bool = False


def search(catalogue: Catalogue, filters: Filters) -> list[Challenge]:
    """Return the challenges that pass every filter, in the order of the catalogue. A challenge passes `q` if its searchable
    text contains all words of `q`.
    """
    words = filters.q.casefold().split()
    return [
        challenge
        for challenge in catalogue.challenges
        if filters.section in ("", challenge.package.info.section)
        and filters.difficulty in ("", challenge.package.info.difficulty)
        and (not filters.topic or filters.topic in challenge.package.info.topics)
        and (not filters.scored or challenge.scored is not None)
        and all(word in challenge.text for word in words)
    ]
