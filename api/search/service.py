"""An index of words in memory, made from a reading of the catalogue and thrown away with it.

Words may stand in any order; of the last one its beginning is enough; small slips of the pen are forgiven when a word is found
nowhere. Up to three words must all be there; of more (a pasted error message) those that tell most.
"""

import asyncio
import math
import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from difflib import get_close_matches

from api.catalogue.service import Catalogue
from api.search.documents import WEIGHTS, Document, documents

WORD = re.compile(r"[^\W_]+")
ALL_NEEDED = 3
MOST_WORDS, MOST_VARIANTS, MOST_SLIPS = 24, 40, 6
SHARE_NEEDED = 0.6
EXACT, BEGINNING, SLIP = 1.0, 0.7, 0.5
ALIKE, SHORTEST_MISSPELT = 0.78, 4
EXCERPT, BEFORE = 180, 50
# Of equals: what to do comes before what to read.
QUIZ = 0.85
KINDS = {"challenge": 0, "topic": 1, "track": 2, "quiz": 3}
Variants = dict[str, float]


@dataclass(frozen=True)
class Hit:
    """A document that was found: how well, in which of its fields best, and by which words."""

    document: Document
    score: float
    field: int
    words: frozenset[str]


def stem(word: str) -> str:
    """A word as it is compared: in lower case, and one or many are the same."""
    word = word.casefold()
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


class Index:
    """Which word stands in which field of which document."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._documents = list(documents(catalogue))
        # word -> document -> the fields that have it
        self._places: dict[str, dict[int, set[int]]] = defaultdict(dict)
        for number, document in enumerate(self._documents):
            for place, field in enumerate(document.fields):
                for word in set(map(stem, WORD.findall(field.text))):
                    self._places[word].setdefault(number, set()).add(place)
        self._vocabulary = sorted(self._places)

    def search(self, q: str) -> list[Hit]:
        """Documents that fit, the best first."""
        asked = list(dict.fromkeys(map(stem, WORD.findall(q))))[:MOST_WORDS]
        known = [self._variants(word, last=word == asked[-1]) for word in asked]
        # Sizes in a pasted message are somebody's own; everybody else's page has others.
        wanted = [found for word, found in zip(asked, known, strict=True) if found or not any(map(str.isdigit, word))]
        self._forgive(asked, known, wanted)
        if not any(wanted):
            return []
        hits = filter(None, (self._hit(number, wanted) for number in self._candidates(wanted)))
        return sorted(hits, key=lambda hit: (-round(hit.score, 3), KINDS[hit.document.kind], hit.document.title))

    def _variants(self, word: str, *, last: bool) -> Variants:
        found = {word: EXACT} if word in self._places else {}
        if last and len(word) > 1:
            start = bisect_left(self._vocabulary, word)
            for other in self._vocabulary[start : start + MOST_VARIANTS]:
                if other.startswith(word):
                    found.setdefault(other, BEGINNING)
        return found

    def _forgive(self, asked: list[str], known: list[Variants], wanted: list[Variants]) -> None:
        """Give words that are found nowhere the words that they were probably meant to be."""
        lost = [(word, found) for word, found in zip(asked, known, strict=True) if not found and word.isalpha()]
        for word, found in lost[:MOST_SLIPS]:
            if SHORTEST_MISSPELT <= len(word) <= EXCERPT:
                near = [other for other in self._vocabulary if other[0] == word[0] and abs(len(other) - len(word)) <= 2]
                found.update(dict.fromkeys(get_close_matches(word, near, n=3, cutoff=ALIKE), SLIP))

    def _candidates(self, wanted: list[Variants]) -> set[int]:
        return {number for found in wanted for word in found for number in self._places[word]}

    def _hit(self, number: int, wanted: list[Variants]) -> Hit | None:
        document, met, whole, missing = self._documents[number], 0.0, 0.0, 0
        by_field: dict[int, float] = defaultdict(float)
        score, words = 0.0, set[str]()
        for found in wanted:
            rarity = self._rarity(found)
            whole += rarity
            worth = self._worth(number, found)
            if not worth:
                missing += 1
                continue
            met += rarity
            score += rarity * max(worth.values())
            for place, value in worth.items():
                by_field[place] += rarity * value
            words |= found.keys()
        if missing and (len(wanted) <= ALL_NEEDED or met < SHARE_NEEDED * whole):
            return None
        # Words that stand together in one text mean more than the same words strewn over a page.
        best = max(by_field, key=lambda place: by_field[place])
        score = (score + by_field[best]) * met / (whole or 1) * (QUIZ if document.kind == "quiz" else 1)
        return Hit(document, score, best, frozenset(words))

    def _worth(self, number: int, found: Variants) -> dict[int, float]:
        """What each field of a document that has one of these words counts for."""
        worth: dict[int, float] = {}
        for word, sure in found.items():
            for place in self._places[word].get(number, ()):
                weight = sure * WEIGHTS[self._documents[number].fields[place].where]
                worth[place] = max(worth.get(place, 0.0), weight)
        return worth

    def _rarity(self, found: Variants) -> float:
        """From how few documents these words are known; of all variants together, so that a rare one gains nothing by it."""
        known = len(set[int]().union(*(self._places[word] for word in found)))
        return math.log((len(self._documents) + 1) / (known or 1))


class Finder:
    """Holds the index of the present catalogue."""

    def __init__(self) -> None:
        self._version, self._index, self._making = "", Index(Catalogue()), asyncio.Lock()

    async def index(self, catalogue: Catalogue) -> Index:
        """The index of a catalogue; made, in a thread, when the catalogue is a new one."""
        async with self._making:
            if self._version != catalogue.version:
                self._index = await asyncio.to_thread(Index, catalogue)
                self._version = catalogue.version
        return self._index


def excerpt(hit: Hit) -> list[tuple[str, bool]]:
    """The part of the best text with most of the words, in pieces: (text, whether it is one of the words)."""
    text = hit.document.fields[hit.field].text
    found = [match for match in WORD.finditer(text) if stem(match.group()) in hit.words]
    start = max((match.start() for match in found), key=lambda at: _told(found, at), default=0)
    first, last = _edges(text, max(0, start - BEFORE))
    pieces, at = [("… " if first else "", False)], first
    for match in found:
        if first <= match.start() and match.end() <= last:
            pieces += [(text[at : match.start()], False), (match.group(), True)]
            at = match.end()
    pieces += [(text[at:last] + (" …" if last < len(text) else ""), False)]
    return [(piece, is_word) for piece, is_word in pieces if piece]


def _told(found: list[re.Match[str]], start: int) -> tuple[int, int]:
    """How many different words a window from here holds; of equals the first wins."""
    return len({stem(match.group()) for match in found if start <= match.start() < start + EXCERPT - BEFORE}), -start


def _edges(text: str, start: int) -> tuple[int, int]:
    """The window from `start`, without halves of words."""
    first = text.find(" ", start) + 1 if start else 0
    last = text.rfind(" ", first, first + EXCERPT) if len(text) > first + EXCERPT else len(text)
    return first, last if last > first else min(len(text), first + EXCERPT)
