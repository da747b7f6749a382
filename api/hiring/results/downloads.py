"""Writes the results as CSV for spreadsheet programs."""

import csv
import io
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


def csv_of(results: Results) -> str:
    """Return the results as CSV with one line per candidate. A line contains the participation, its signals, and six columns
    per item. Unknown values are empty; `to_review` is how many points reviewers still have to give or refuse.
    While `answers_pending`, the number of answers without final points, is not 0, the score is not final. Shares are between
    0 and 1.
    """
    written = io.StringIO()
    sheet = csv.writer(written)
    of_items = [f"{_safe(item.name)}: {column}" for item in results.items for column in OF_ITEM]
    sheet.writerow(["participation", *PLAIN, "share", *NOTICED, "similarity", *of_items])
    sheet.writerows([_safe(cell) for cell in _cells(person, results.items)] for person in results.people)
    return written.getvalue()


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
