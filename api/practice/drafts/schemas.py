"""Request and response bodies of drafts."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from api.kit.errors import ErrorBody
from api.kit.text import Text
from api.practice.drafts.models import Draft

Version = Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]


class NewDraft(BaseModel):
    """The draft's text, and the version that it is based on (0 if there was none). At most 256 KiB."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"source": "def add_one(x):\n    return x + 1\n", "version": 0}}
    )
    source: Text
    version: Version


class EarlierDraft(BaseModel):
    """The older one of two drafts that were merged when you signed in: one from your account and one that you wrote as a
    guest.
    """

    source: str
    saved_at: datetime


class DraftView(BaseModel):
    """Your draft for a challenge. Version 0 means that no draft is saved yet."""

    slug: str
    source: str
    version: int
    saved_at: datetime | None
    previous: EarlierDraft | None = None


class DraftConflict(ErrorBody):
    """Another device saved this draft in the meantime. `draft` is the draft that it saved."""

    draft: DraftView


def draft_view(slug: str, draft: Draft | None) -> DraftView:
    if draft is None:
        return DraftView(slug=slug, source="", version=0, saved_at=None)
    earlier = None
    if draft.previous is not None and draft.previous_saved_at is not None:
        earlier = EarlierDraft(source=draft.previous, saved_at=draft.previous_saved_at)
    return DraftView(slug=slug, source=draft.source, version=draft.version, saved_at=draft.saved_at, previous=earlier)
