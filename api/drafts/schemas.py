"""What travels when a draft is kept."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from api.drafts.models import Draft
from api.errors import ErrorBody
from api.text import Text

Version = Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]


class NewDraft(BaseModel):
    """A draft as it is now, and the version that it was made from (0: there was none). At most 256 KiB."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"source": "def add_one(x):\n    return x + 1\n", "version": 0}}
    )
    source: Text
    version: Version


class EarlierDraft(BaseModel):
    """A draft that a newer one took the place of when you signed in."""

    source: str
    saved_at: datetime


class DraftView(BaseModel):
    """Your draft for a challenge. Version 0: there is none yet."""

    slug: str
    source: str
    version: int
    saved_at: datetime | None
    previous: EarlierDraft | None = None


class DraftConflict(ErrorBody):
    """Another device saved meanwhile; `draft` is what it saved."""

    draft: DraftView


def draft_view(slug: str, draft: Draft | None) -> DraftView:
    """A draft as its owner sees it."""
    if draft is None:
        return DraftView(slug=slug, source="", version=0, saved_at=None)
    earlier = None
    if draft.previous is not None and draft.previous_saved_at is not None:
        earlier = EarlierDraft(source=draft.previous, saved_at=draft.previous_saved_at)
    return DraftView(slug=slug, source=draft.source, version=draft.version, saved_at=draft.saved_at, previous=earlier)
