"""The results as a table that spreadsheets read."""

import csv
import io
from collections.abc import Iterator, Sequence

from api.reporting.schemas import ItemFigures, PersonResult, Results

# A cell that begins like this would be reckoned as a formula: names and addresses are strangers' words.
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
    "points",
    "decision",
)
NOTICED = ("pastes", "pasted", "left", "devices")
OF_ITEM = ("score", "points", "verdict", "sent", "seconds")


def csv_of(results: Results) -> str:
    """A line a person: the participation, its signals, then five columns an item. What is unknown is empty; shares are of 1."""
    written = io.StringIO()
    sheet = csv.writer(written)
    of_items = [f"{_safe(item.name)}: {column}" for item in results.items for column in OF_ITEM]
    sheet.writerow(["participation", *PLAIN, "share", *NOTICED, "similarity", *of_items])
    sheet.writerows([_safe(cell) for cell in _cells(person, results.items)] for person in results.people)
    return written.getvalue()


def _cells(person: PersonResult, items: Sequence[ItemFigures]) -> Iterator[object]:
    yield person.participation_id
    told = person.model_dump(mode="json")
    yield from (told[name] for name in PLAIN)
    yield round(person.share, 4)
    yield from (told["noticed"][name] for name in NOTICED)
    yield person.similarity
    got = {(item["kind"], item["name"]): item for item in told["items"]}
    for item in items:
        found = got.get((item.kind, item.name))
        yield from (found[column] if found else None for column in OF_ITEM)


def _safe(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
