"""Responses about health, readiness, the queue, and the nodes."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from api.judging.nodes.expected import State

Device = Literal["cpu", "cuda"]


class Health(BaseModel):
    """The process is alive. `version` is the version of the service."""

    status: Literal["ok"]
    version: str


class Condition(BaseModel):
    """One condition for being ready. `ok` says whether it is met. If not, `reason` says why; otherwise it is null."""

    ok: bool
    reason: str | None


class Readiness(BaseModel):
    """The service is `ready` if `database` and `grading` are both ok. If only `grading` is not ok, submissions are still
    accepted and wait in the queue. `challenges` is the number of public challenges, `nodes` the number of nodes that are
    connected to this process, and `slots` the number of CPU slots of the whole service. For GPU slots, see
    `/api/queue?device=cuda`.
    """

    ready: bool
    database: Condition
    grading: Condition
    challenges: int
    nodes: int
    slots: int


class QueueView(BaseModel):
    """The queue of a device. `expected_wait_s` is how many seconds a submission that is sent now is expected to wait, or null
    if that is unknown. `reason` says why nothing can be judged at present, or is null if judging works.
    """

    queued: int
    judging: int
    slots: int
    expected_wait_s: float | None
    reason: str | None


class SlotsView(BaseModel):
    """The number of free slots in each lane. Slots of the lane `short` take only short jobs, slots of the lane `any` take every
    job.
    """

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
    """A connected node. `gpus` are the names of its GPUs. `reason` says why the node cannot judge at present. A drained node
    gets no jobs. `judged` and `faults` are numbers since the node connected.

    `per_minute`, `mean_s` and `starving` cover the last minute. `starving` is the share of that minute, from 0 to 1, in which
    some process on the node's machine had to wait for a CPU, or null if that is unknown. `speed` is the measured speed of the
    machine; the reference machine has the speed 1. The CPU seconds of a job are multiplied by it, so that limits mean the same
    on every machine.
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
    """The local node, or a node with a token. Only the state `missing` is a problem. A `drained` node is out of service on
    purpose. The state `elastic` means that the node is not connected, and need not be, because it is started and stopped
    automatically. `device` is null until the node has joined for the first time. `since` is the time at which the node was
    last connected. If the node has never joined, `since` is when its token was created or, for the local node, when the
    process started.
    """

    model_config = ConfigDict(from_attributes=True)
    name: str
    device: str | None
    state: State
    since: datetime
    joined: bool
    local: bool


class NodeList(BaseModel):
    """`items` are the nodes that are connected to the service process that sent this response. `drained` are the names of all
    drained nodes, connected or not. `expected` contains the local node of this process and all nodes that have a token; the
    state of a node says whether it is connected to any process of the service. All three lists are sorted by name.
    """

    items: list[NodeView]
    drained: list[str]
    expected: list[ExpectedNode]


class QueueReport(BaseModel):
    """How many judgings are queued (`queued`) and running (`judging`). `queued_oldest_s` is for how many seconds the oldest
    queued judging has been waiting, and `judging_oldest_s` for how many seconds the oldest running one has been running.
    `again` is how many of the queued judgings are rejudges, and `retried` how many of them lost an earlier attempt.
    """

    queued: int
    queued_oldest_s: float | None
    judging: int
    judging_oldest_s: float | None
    again: int
    retried: int
