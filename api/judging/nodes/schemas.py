"""Responses about health, readiness, the queue, and the nodes."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from api.judging.nodes.expected import State

Device = Literal["cpu", "cuda"]


class Health(BaseModel):
    """The process is running."""

    status: Literal["ok"]
    version: str


class Condition(BaseModel):
    """One condition of readiness; `reason` says why it is not met."""

    ok: bool
    reason: str | None


class Readiness(BaseModel):
    """The service is ready if all its parts are. While only grading fails, submissions are still accepted and wait in the
    queue. `slots` counts CPU slots; for GPUs, see `/api/queue?device=cuda`.
    """

    ready: bool
    database: Condition
    grading: Condition
    challenges: int
    nodes: int
    slots: int


class QueueView(BaseModel):
    """The length of the queue of a device. `expected_wait_s` is for a submission sent now, null when unknown."""

    queued: int
    judging: int
    slots: int
    expected_wait_s: float | None
    reason: str | None


class SlotsView(BaseModel):
    """Free slots by lane: `short` slots take only short jobs, `any` slots take every job."""

    short: int
    any: int


class NodeJob(BaseModel):
    """A job that a node is running; `seconds` is the time since the node accepted it."""

    submission_id: str
    slug: str
    attempt: int
    short: bool
    seconds: float


class NodeView(BaseModel):
    """A connected node; `gpus` are the names of its GPUs. `reason` says why it cannot judge at present. A drained node gets
    no jobs. `judged` and `faults` count since it connected. `per_minute`, `mean_s` and `starving` cover the last minute.
    `starving` is the share of that minute in which a process there waited for a CPU, null where unknown. `speed` is the
    measured speed of its machine relative to the reference machine (1.0); CPU seconds of jobs are multiplied by it.
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
    speed: float | None
    judged: int
    faults: int
    per_minute: int
    mean_s: float | None
    starving: float | None
    jobs: list[NodeJob]


class ExpectedNode(BaseModel):
    """A node that may be connected: the local one, or one with a token. Only `missing` is a problem: `drained` is out of
    service on purpose, an `elastic` one is started and stopped automatically. `device` is null until it has joined. `since`
    is when it was last connected, or when its token was created.
    """

    model_config = ConfigDict(from_attributes=True)
    name: str
    device: str | None
    state: State
    since: datetime
    joined: bool
    local: bool


class NodeList(BaseModel):
    """Nodes that are connected to this process of the service, by name. `drained` names the nodes that get no jobs,
    connected or not. `expected` lists all nodes that may be connected, to whichever process.
    """

    items: list[NodeView]
    drained: list[str]
    expected: list[ExpectedNode]


class QueueReport(BaseModel):
    """The current queue: the number of judgings that are queued and that are running, and for how many seconds the oldest of
    each has been. Of the queued ones, `again` are rejudges, and `retried` lost an earlier attempt.
    """

    queued: int
    queued_oldest_s: float | None
    judging: int
    judging_oldest_s: float | None
    again: int
    retried: int
