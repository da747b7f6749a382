"""A shared document in memory. It has one text for each challenge of the room, and nothing else."""

import re
from collections.abc import Iterable

from pycrdt import Doc, Text

from api.hiring.room_documents.protocol import NOTHING, BadMessage

_NAME = re.compile(r"code:[1-9][0-9]?")


def name_of(position: int) -> str:
    """Return the name of a challenge's text in the document."""
    return f"code:{position}"


class Document:
    """A document that is built from updates. Its methods are synchronous and fast: a text has some hundred lines."""

    def __init__(self, updates: Iterable[bytes] = ()) -> None:
        self._doc: Doc[Text] = Doc()
        self._new: list[bytes] = []
        for update in updates:
            self._doc.apply_update(update)
        self._subscription = self._doc.observe(lambda event: self._new.append(event.update))

    def apply(self, update: bytes) -> bytes:
        """Apply an update that is already stored. Returns the part of it that was new."""
        self._new.clear()
        self._doc.apply_update(update)
        return self._new[-1] if self._new else b""

    def apply_foreign(self, update: bytes) -> bytes:
        """Apply an update of a client, and return the part of it that was new; empty if there is none, or if it depends on
        another update that has not arrived.

        Raises `BadMessage` if the update cannot be read, or if it puts something else than text into the document. The document
        is then no longer usable.
        """
        if update == NOTHING:
            return b""
        try:
            new = self.apply(update)
        except ValueError:
            raise BadMessage("a change cannot be read") from None
        except BaseException as error:
            # A panic in the library, which is written in Rust, is no Exception.
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            raise BadMessage(f"a change cannot be applied: {type(error).__name__}") from None
        if new:
            self._require_plain_texts()
        return new

    def text(self, position: int) -> str:
        return str(self._doc.get(name_of(position), type=Text))

    def state(self) -> bytes:
        """Return which updates the document contains (Yjs's state vector)."""
        return self._doc.get_state()

    def missing(self, state: bytes) -> bytes:
        """Return the update that a client with this state needs. Raises `BadMessage`."""
        try:
            return self._doc.get_update(state)
        except ValueError:
            raise BadMessage("a state cannot be read") from None

    def whole(self) -> bytes:
        """Return the whole document as one update."""
        return self._doc.get_update()

    def _require_plain_texts(self) -> None:
        """The editors of all others show the texts, and an image or a nested document in one of them would break them."""
        for name in tuple(self._doc.keys()):
            if not _NAME.fullmatch(name):
                raise BadMessage("a change is about something else than the code of a challenge")
            parts = self._doc.get(name, type=Text).diff()
            if any(not isinstance(part, str) or attributes for part, attributes in parts):
                raise BadMessage("a change puts something else than text into the code")


def update_that_writes(position: int, text: str) -> bytes:
    """Return an update that writes a text at the beginning of a challenge's code."""
    doc: Doc[Text] = Doc()
    doc.get(name_of(position), type=Text).insert(0, text)
    return doc.get_update()
