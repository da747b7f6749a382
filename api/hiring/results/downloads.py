"""Writes the results as CSV for spreadsheet programs, and names the files that are downloaded."""

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from api.hiring.results.schemas import ItemFigures, PersonResult, Results

# Spreadsheet programs evaluate a cell as a formula if it begins with one of these characters. Names and addresses are not
# trusted, so such cells get a leading apostrophe.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
PLAIN = (
    "name",
    "email",
    "number",
    "version",
    "started_at",
    "finished_at",
    "finished_by",
    "seconds",
    "score",
    "to_review",
    "points",
    "decision",
    "answers_pending",
)
NOTICED = ("pastes", "pasted", "left", "devices")
OF_ITEM = ("score", "points", "verdict", "sent", "seconds", "variant")
# Letters that Unicode does not split into an ASCII letter and an accent.
LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
# The maximum length of a part of a file name, so that the whole name fits on every file system.
MOST_OF_NAME = 60


def csv_of(results: Results) -> str:
    """Return the results as CSV with one line per candidate. A line contains the participation, its signals, and six columns
    per item. If a challenge and a quiz have the same name, their columns also say which of them they are about. Unknown values
    are empty; `to_review` is how many points reviewers still have to give or refuse. While `answers_pending`, the number of
    answers without final points, is not 0, the score is not final. Shares are between 0 and 1.
    """
    written = io.StringIO()
    sheet = csv.writer(written)
    of_items = [f"{_safe(named)}: {column}" for named in _names(results.items) for column in OF_ITEM]
    sheet.writerow(["participation", *PLAIN, "share", *NOTICED, "similarity", *of_items])
    sheet.writerows([_safe(cell) for cell in _cells(person, results.items)] for person in results.people)
    return written.getvalue()


def _names(items: Sequence[ItemFigures]) -> list[str]:
    """Return a name for each item that no other item has. A kind and a name together occur only once."""
    often = Counter(item.name for item in items)
    return [f"{item.kind} {item.name}" if often[item.name] > 1 else item.name for item in items]


def _cells(person: PersonResult, items: Sequence[ItemFigures]) -> Iterator[object]:
    yield person.participation_id
    values = person.model_dump(mode="json")
    yield from (values[name] for name in PLAIN)
    yield round(person.share, 4)
    yield from (values["noticed"][name] for name in NOTICED)
    yield person.similarity
    got = {(item["kind"], item["name"]): item for item in values["items"]}
    for item in items:
        found = got.get((item.kind, item.name))
        yield from (_known(found, column) if found else None for column in OF_ITEM)


def _known(item: dict[str, Any], column: str) -> object:
    """Return the value of a column, or None for the score of a text that no reviewer has graded yet."""
    return None if column == "score" and item["to_review"] else item[column]


def _safe(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def attachment(identifier: str, ending: str, *parts: str) -> str:
    """Return a Content-Disposition header with a file name made of these parts, in lower-case ASCII. If nothing of them can be
    written so, the name contains the beginning of the identifier.
    """
    named = "-".join(filter(None, map(_ascii, parts))) or identifier[:8]
    return f'attachment; filename="gradus-{named}.{ending}"'


def _ascii(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.lower().translate(LETTERS))
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:MOST_OF_NAME].strip("-")
