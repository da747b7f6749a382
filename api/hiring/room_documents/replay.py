"""Rebuilds how the code of a challenge was written, from the updates of the document."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from pycrdt import Doc, Text

from api.hiring.room_documents.document import name_of

# An update as it is stored: when, by whom (the id of a person, or None for the service), and the bytes.
Row = tuple[datetime, str | None, bytes]


class Step(msgspec.Struct):
    """An edit. The positions count UTF-16 code units, as the web client does."""

    at: datetime
    by: str | None
    from_: int = msgspec.field(name="from")
    to: int
    text: str


def steps(rows: Sequence[Row], position: int) -> list[Step]:
    """Return the edits of a challenge's code, in order, beginning with an empty text."""
    doc: Doc[Text] = Doc()
    text = doc.get(name_of(position), type=Text)
    deltas: list[list[dict[str, Any]]] = []
    # The library does not declare the attribute `delta`.
    subscription = text.observe(lambda event: deltas.append(getattr(event, "delta")))  # noqa: B009
    found: list[Step] = []
    content = b""
    for at, by, update in rows:
        deltas.clear()
        doc.apply_update(update)
        for delta in deltas:
            for place, end, by_what in _edits(delta):
                start = _units(content[:place])
                removed = _units(content[place:end])
                found.append(Step(at, by, start, start + removed, by_what))
                content = content[:place] + by_what.encode() + content[end:]
    text.unobserve(subscription)
    return found


def as_json(rows: Sequence[Row], position: int) -> bytes:
    """Return the steps as the JSON of the schema `Replay`."""
    return msgspec.json.encode({"position": position, "steps": steps(rows, position)})


def _edits(delta: Sequence[dict[str, Any]]) -> Iterator[tuple[int, int, str]]:
    """Yield the edits of a delta: from where, to where, and the new text. The library counts bytes of UTF-8. Each edit refers to
    the text after the edits before it. Deleting and inserting at the same place is one edit.
    """
    place, removed, inserted = 0, 0, ""
    for part in delta:
        if "retain" in part:
            if removed or inserted:
                yield place, place + removed, inserted
            place += part["retain"] + len(inserted.encode())
            removed, inserted = 0, ""
        elif "delete" in part:
            removed += part["delete"]
        elif isinstance(part["insert"], str):
            inserted += part["insert"]
    if removed or inserted:
        yield place, place + removed, inserted


def _units(text: bytes) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.decode().encode("utf-16-le")) // 2
