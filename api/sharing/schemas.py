"""What travels when an answer is shared."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, StrictBool


class Sharing(BaseModel):
    """Whether an answer also stands in the challenge's list of answers, or only its link opens it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"listed": True}})
    listed: StrictBool


class SharingView(BaseModel):
    """How an answer of yours is shared; `id` is null while it is not. The page is at `/shared/{id}`."""

    id: str | None = None
    listed: bool = False
    shared_at: datetime | None = None


class SharedCard(BaseModel):
    """An answer that its owner shares, under the name that he shows on boards."""

    id: str
    slug: str
    name: str
    cpu_s: float | None
    memory_mb: float | None
    shared_at: datetime


class SharedPage(BaseModel):
    """One page of shared answers, newest first; `next_cursor` is null on the last page."""

    items: list[SharedCard]
    next_cursor: str | None


class SharedView(SharedCard):
    """A shared answer with its source."""

    title: str
    source: str
