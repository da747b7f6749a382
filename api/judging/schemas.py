"""What judging looks like from outside: health, readiness, the queue, the nodes."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel


class Health(BaseModel):
    """The process is alive."""

    status: Literal["ok"]
    version: str


class Condition(BaseModel):
    """One thing that must work; `reason` says why it does not."""

    ok: bool
    reason: str | None


class Readiness(BaseModel):
    """Ready only when all parts are. While only grading fails, submissions are still accepted and wait."""

    ready: bool
    database: Condition
    grading: Condition
    challenges: int
    nodes: int
    slots: int


class QueueView(BaseModel):
    """How long the queue is; `expected_wait_s` is for a submission sent now, null when nobody can say."""

    queued: int
    judging: int
    slots: int
    expected_wait_s: float | None
    reason: str | None


class SlotsView(BaseModel):
    """Free slots by lane."""

    short: int
    any: int


class NodeView(BaseModel):
    """A connected node. `reason` says why it cannot judge at present."""

    name: str
    device: str
    slots: dict[str, int]
    free: SlotsView
    judging: int
    connected_at: datetime
    reason: str | None
    versions: dict[str, str]


class NodeList(BaseModel):
    """Connected nodes by name."""

    items: list[NodeView]
