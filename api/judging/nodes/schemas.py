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
    """One condition of readiness. `reason` says why it is not met; it is null if the condition is met."""

    ok: bool
    reason: str | None


class Readiness(BaseModel):
    """The service is `ready` if `database` and `grading` are ok. If only `grading` is not, submissions are still accepted and
    wait in the queue. `challenges` and `nodes` are numbers. `slots` is the number of CPU slots; for GPUs, see
    `/api/queue?device=cuda`.
    """

    ready: bool
    database: Condition
    grading: Condition
    challenges: int
    nodes: int
    slots: int


class QueueView(BaseModel):
    """The queue of a device. `expected_wait_s` is the expected wait of a submission that is sent now, in seconds; it is null if
    it is unknown. `reason` says why nothing can be judged at present; it is null if judging works.
    """

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
    no jobs. `judged` and `faults` are counted since it connected. `per_minute`, `mean_s` and `starving` cover the last minute.
    `starving` is the share of that minute in which a process on its machine waited for a CPU; it is null if it is unknown.
    `speed` is the measured speed of its machine relative to the reference machine (1.0); CPU seconds of jobs are multiplied
    by it.
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
    purpose. An `elastic` node is not connected at present, because it is started and stopped automatically. `device` is null
    until the node has joined. `since` is when it was last connected. Before it has joined, it is when its token was created
    or, for the local node, when the process started.
    """

    model_config = ConfigDict(from_attributes=True)
    name: str
    device: str | None
    state: State
    since: datetime
    joined: bool
    local: bool


class NodeList(BaseModel):
    """`items` are the nodes that are connected to the process of the service that sent this response. `drained` are the names
    of all drained nodes, connected or not. `expected` lists the process's local node and every node that has a token, with
    its state in the whole service. All three are sorted by name.
    """

    items: list[NodeView]
    drained: list[str]
    expected: list[ExpectedNode]


class QueueReport(BaseModel):
    """The number of judgings that are queued, and that are running (`judging`). `queued_oldest_s` and `judging_oldest_s` say
    for how many seconds the oldest judging has been queued or running. Of the queued judgings, `again` are rejudges, and
    `retried` have lost an earlier attempt.
    """

    queued: int
    queued_oldest_s: float | None
    judging: int
    judging_oldest_s: float | None
    again: int
    retried: int
