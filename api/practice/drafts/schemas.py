"""Request and response bodies of drafts."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from api.kit.errors import ErrorBody
from api.kit.text import Text
from api.practice.drafts.models import Draft

Version = Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]


class NewDraft(BaseModel):
    """The text of a draft, at most 256 KiB, and the stored version that it is based on (0 if nothing was stored)."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"source": "def add_one(x):\n    return x + 1\n", "version": 0}}
    )
    source: Text
    version: Version


class EarlierDraft(BaseModel):
    """The older of two drafts for the same challenge: one that you wrote as a guest, and one of the account to which you then
    signed in.
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
    """The draft was not saved, because another device has saved a newer version. `draft` is that version."""

    draft: DraftView


def draft_view(slug: str, draft: Draft | None) -> DraftView:
    if draft is None:
        return DraftView(slug=slug, source="", version=0, saved_at=None)
    earlier = None
    if draft.previous is not None and draft.previous_saved_at is not None:
        earlier = EarlierDraft(source=draft.previous, saved_at=draft.previous_saved_at)
    return DraftView(slug=slug, source=draft.source, version=draft.version, saved_at=draft.saved_at, previous=earlier)
