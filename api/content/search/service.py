"""A word index in memory. It is built from one scan of the catalogue, and replaced when the catalogue changes.

The words of a query may be in any order, and the last word may be incomplete. A word that occurs nowhere may be misspelt, so
similar words are searched instead. If a query has up to three words, a document must match all of them. If it has more, for
example because it is a pasted error message, a document must match a certain share of them. Rare words count more in this
share.
"""

import asyncio
import math
import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated

from fastapi import Depends

from api.content.catalogue.catalogue import Catalogue
from api.content.search.documents import WEIGHTS, Document, documents
from api.kit.http.provided import provided

WORD = re.compile(r"[^\W_]+")
# If a query has at most this many words, all of them must match.
ALL_NEEDED = 3
# Maximum numbers per query: of words that are used, of completions of the last word, and of misspelt words that are corrected.
MOST_WORDS, MOST_VARIANTS, MOST_SLIPS = 24, 40, 6
# The share of the words of a longer query that a document must match, from 0 to 1. Words are weighted by their rarity.
SHARE_NEEDED = 0.6
# How much it counts if a document contains the word of the query itself, a completion of the last word, or a correction of a
# misspelt word.
EXACT, BEGINNING, SLIP = 1.0, 0.7, 0.5
# ALIKE is the similarity that a word must have to be used as a correction (difflib's ratio, 0 to 1). Shorter words than
# SHORTEST_MISSPELT characters are not corrected.
ALIKE, SHORTEST_MISSPELT = 0.78, 4
# The length of an excerpt in characters, and how many of these characters come before the first word that matches.
EXCERPT, BEFORE = 180, 50
# The score of a quiz is multiplied by QUIZ, so that a topic's page comes before its quiz. KINDS is the order of results with
# equal scores.
QUIZ = 0.85
KINDS = {"challenge": 0, "topic": 1, "track": 2, "quiz": 3}
Variants = dict[str, float]


@dataclass(frozen=True)
class Hit:
    """A document that matches a query: its score, the index of the field that matches best, and the words that were found."""

    document: Document
    score: float
    field: int
    words: frozenset[str]


def stem(word: str) -> str:
    """Return the form in which words are compared: lower case, and without the plural "s"."""
    word = word.casefold()
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


class Index:
    """An inverted index. It stores in which fields of which documents each word occurs."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._documents = list(documents(catalogue))
        # Maps each word to the documents that contain it, and each of these documents to the fields that contain the word.
        # Documents and fields are given by their index.
        self._places: dict[str, dict[int, set[int]]] = defaultdict(dict)
        for number, document in enumerate(self._documents):
            for place, field in enumerate(document.fields):
                for word in set(map(stem, WORD.findall(field.text))):
                    self._places[word].setdefault(number, set()).add(place)
        self._vocabulary = sorted(self._places)

    def search(self, q: str) -> list[Hit]:
        """Return the documents that match, best first. Of equally good ones, those with the shortest title come first: a word
        says most about a document whose title has few others.
        """
        stems = list(dict.fromkeys(map(stem, WORD.findall(q))))[:MOST_WORDS]
        known = [self._variants(word, last=word == stems[-1]) for word in stems]
        # Unknown words with digits are ignored. In a pasted error message, they are usually tensor sizes from the user's own
        # code.
        wanted = [found for word, found in zip(stems, known, strict=True) if found or not any(map(str.isdigit, word))]
        self._forgive(stems, known, wanted)
        if not any(wanted):
            return []
        hits = filter(None, (self._hit(number, wanted) for number in self._candidates(wanted)))
        return sorted(hits, key=_order)

    def _variants(self, word: str, *, last: bool) -> Variants:
        found = {word: EXACT} if word in self._places else {}
        if last and len(word) > 1:
            start = bisect_left(self._vocabulary, word)
            for other in self._vocabulary[start : start + MOST_VARIANTS]:
                if other.startswith(word):
                    found.setdefault(other, BEGINNING)
        return found

    def _forgive(self, stems: list[str], known: list[Variants], wanted: list[Variants]) -> None:
        """For words that occur in no document, add similar words that do occur to the variants to search for."""
        lost = [(word, found) for word, found in zip(stems, known, strict=True) if not found and word.isalpha()]
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
        # The best field counts twice. Words that occur together in one field therefore count more than words that are spread
        # over several fields.
        best = max(by_field, key=lambda place: by_field[place])
        score = (score + by_field[best]) * met / (whole or 1) * (QUIZ if document.kind == "quiz" else 1)
        return Hit(document, score, best, frozenset(words))

    def _worth(self, number: int, found: Variants) -> dict[int, float]:
        """Return the fields of a document in which one of these words occurs, each with the score of the best of the words."""
        worth: dict[int, float] = {}
        for word, sure in found.items():
            for place in self._places[word].get(number, ()):
                weight = sure * WEIGHTS[self._documents[number].fields[place].where]
                worth[place] = max(worth.get(place, 0.0), weight)
        return worth

    def _rarity(self, found: Variants) -> float:
        """Return how rare a word of the query is: the fewer documents contain it or one of its variants, the larger the number.
        All variants are counted together, so that a rare variant has no advantage.
        """
        known = len(set[int]().union(*(self._places[word] for word in found)))
        return math.log((len(self._documents) + 1) / (known or 1))


def _order(hit: Hit) -> tuple[float, int, int, str]:
    title = hit.document.title
    return -round(hit.score, 3), KINDS[hit.document.kind], len(WORD.findall(title)), title


class SearchIndexCache:
    """Holds the search index of the current catalogue."""

    def __init__(self) -> None:
        self._version, self._index, self._making = "", Index(Catalogue()), asyncio.Lock()

    async def index(self, catalogue: Catalogue) -> Index:
        """Return the index of a catalogue. If the catalogue has changed, the index is built first, in a thread."""
        async with self._making:
            if self._version != catalogue.version:
                self._index = await asyncio.to_thread(Index, catalogue)
                self._version = catalogue.version
        return self._index


def excerpt(hit: Hit) -> list[tuple[str, bool]]:
    """Return an excerpt of the field that matches best: the part of it with the most matching words. The excerpt is a list of
    pieces, each with whether it is a matching word.
    """
    text = hit.document.fields[hit.field].text
    found = [match for match in WORD.finditer(text) if stem(match.group()) in hit.words]
    start = max((match.start() for match in found), key=lambda at: _words_in_window(found, at), default=0)
    first, last = _edges(text, max(0, start - BEFORE))
    pieces, at = [("… " if first else "", False)], first
    for match in found:
        if first <= match.start() and match.end() <= last:
            pieces += [(text[at : match.start()], False), (match.group(), True)]
            at = match.end()
    pieces += [(text[at:last] + (" …" if last < len(text) else ""), False)]
    return [(piece, is_word) for piece, is_word in pieces if piece]


def _words_in_window(found: list[re.Match[str]], start: int) -> tuple[int, int]:
    """Return the sort key of an excerpt whose first match is at `start`: how many different matching words it contains, then
    `-start`. Of equally good excerpts, `max` therefore chooses the first.
    """
    return len({stem(match.group()) for match in found if start <= match.start() < start + EXCERPT - BEFORE}), -start


def _edges(text: str, start: int) -> tuple[int, int]:
    """Return the start and the end of the excerpt that begins near `start`, moved to word boundaries."""
    first = text.find(" ", start) + 1 if start else 0
    last = text.rfind(" ", first, first + EXCERPT) if len(text) > first + EXCERPT else len(text)
    return first, last if last > first else min(len(text), first + EXCERPT)


SearchIndexCacheDep = Annotated[SearchIndexCache, Depends(provided(SearchIndexCache))]
