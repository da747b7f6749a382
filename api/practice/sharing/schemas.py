"""Request and response bodies of shared answers."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, StrictBool


class Sharing(BaseModel):
    """How to share an answer. `listed` says whether the answer also appears in the challenge's list of shared answers. If not,
    only people with the link can open it.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"listed": True}})
    listed: StrictBool


class SharingView(BaseModel):
    """How your answer is shared. `id` is null if it is not shared. The shared page is at `/shared/{id}`. If a moderator has
    hidden the answer, nobody can read it there.
    """

    id: str | None = None
    listed: bool = False
    hidden: bool = False
    shared_at: datetime | None = None


class SharedCard(BaseModel):
    """A shared answer, with the name under which its owner appears on boards. `voted` says whether you voted for it, and `mine`
    whether you shared it.
    """

    id: str
    slug: str
    name: str
    cpu_s: float | None
    memory_mb: float | None
    shared_at: datetime
    votes: int
    voted: bool
    mine: bool


class SharedPage(BaseModel):
    """One page of shared answers; `next_cursor` is null on the last page."""

    items: list[SharedCard]
    next_cursor: str | None


class SharedView(SharedCard):
    """A shared answer with its source. `votable` says whether you may vote for it."""

    title: str
    source: str
    votable: bool
