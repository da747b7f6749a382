"""Request and response bodies of bookmarks and notes."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.kit.text import Text

# The longest note, in characters: several pages of text.
NOTE_LENGTH = 10_000


class Marks(BaseModel):
    """The slugs of the challenges that you have bookmarked, the latest bookmark first, and of those with a note of yours."""

    bookmarks: list[str]
    notes: list[str]


class NewChallengeNote(BaseModel):
    """The text of a note. An empty text deletes the note."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"text": "Mask before the softmax."}})
    text: Annotated[Text, StringConstraints(max_length=NOTE_LENGTH)]


class ChallengeNoteView(BaseModel):
    """Your note about a challenge. Nobody else can read it. `saved_at` is null if there is none."""

    text: str
    saved_at: datetime | None
