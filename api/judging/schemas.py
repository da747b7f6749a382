"""What judging looks like from outside: health, readiness, the queue, the nodes."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

Device = Literal["cpu", "cuda"]


class Health(BaseModel):
    """The process is alive."""

    status: Literal["ok"]
    version: str


class Condition(BaseModel):
    """One thing that must work; `reason` says why it does not."""

    ok: bool
    reason: str | None


class Readiness(BaseModel):
    """Ready only when all parts are. While only grading fails, submissions are still accepted and wait. `slots` judge on CPUs:
    of GPUs, `/api/queue?device=cuda` tells.
    """

    ready: bool
    database: Condition
    grading: Condition
    challenges: int
    nodes: int
    slots: int


class QueueView(BaseModel):
    """How long the queue of a device is; `expected_wait_s` is for a submission sent now, null when nobody can say."""

    queued: int
    judging: int
    slots: int
    expected_wait_s: float | None
    reason: str | None


class SlotsView(BaseModel):
    """Free slots by lane."""

    short: int
    any: int


class NodeJob(BaseModel):
    """A judging that a node works on; `seconds` since it took it up."""

    submission_id: str
    slug: str
    attempt: int
    short: bool
    seconds: float


class NodeView(BaseModel):
    """A connected node; `gpus` are what its GPUs are called. `reason` says why it cannot judge at present; a drained one gets no
    jobs. `judged` and `faults` count since it connected, `per_minute` and `mean_s` are of the last minute.
    """

    name: str
    device: str
    gpus: list[str]
    slots: dict[str, int]
    free: SlotsView
    judging: int
    connected_at: datetime
    reason: str | None
    versions: dict[str, str]
    drained: bool
    judged: int
    faults: int
    per_minute: int
    mean_s: float | None
    jobs: list[NodeJob]


class NodeList(BaseModel):
    """Connected nodes by name; `drained` names those that get no jobs, connected or not."""

    items: list[NodeView]
    drained: list[str]


class QueueReport(BaseModel):
    """The queue as it stands: how many in which state, and since when (seconds) the oldest waits or is judged. `again` of the
    queued are rejudges, `retried` were lost before.
    """

    queued: int
    queued_oldest_s: float | None
    judging: int
    judging_oldest_s: float | None
    again: int
    retried: int
