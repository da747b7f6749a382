"""The nodes that are connected to this process, their free slots, and the jobs that each node is running.

This state exists only in memory. Which node owns which attempt at a judging is recorded in SQL.
"""

import asyncio
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from datetime import datetime

from api.judging.queue.claims import Claim, Slots
from api.kit.db.database import now
from grader.contract.transport import Hello, Offer, Ready, ToNode

HOLD_S = 1.0
# How long a judging takes on average, in seconds, until the first one has been measured. Each kind of device has its own
# moving average.
USUAL_S = 0.5
RATE_S = 60
REMEMBERED = 10_000
# Every second, each process tells the others how many slots its nodes have. A process that has not reported for this many
# seconds no longer counts.
REMOTE_SLOTS_S = 5.0
NOTHING_FREE = Slots(0, 0)
DRAINED = "An admin has drained the node"
CPU, CUDA = "cpu", "cuda"
NO_GPU = "No node with a GPU is connected."
NOT_NOW = "The grader cannot judge at the moment. Your submission is saved and will be judged as soon as possible."


@dataclass
class Running:
    """A job that was offered to a node. `accepted_at` is the monotonic time at which the node accepted it, or None before."""

    claim: Claim
    accepted_at: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the node accepted the job; 0 before that."""
        return time.monotonic() - self.accepted_at if self.accepted_at else 0.0


@dataclass(eq=False)
class Node:
    """A connected node, from its Hello message until it disconnects."""

    hello: Hello
    outbox: asyncio.Queue[ToNode] = field(default_factory=asyncio.Queue)
    connected_at: datetime = field(default_factory=now)
    reason: str | None = None
    drained: bool = False
    running: dict[str, Running] = field(default_factory=dict)
    judged: int = 0
    faults: int = 0
    cells: int = 0
    spares: int = 0
    starving: float | None = None
    speed: float | None = None
    _ends: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _ready: Slots = NOTHING_FREE
    _since_ready: list[bool] = field(default_factory=list)
    _held_until: float = 0.0

    @property
    def name(self) -> str:
        return self.hello.node

    @property
    def device(self) -> str:
        """The kind of device on which the node judges: `cpu` or `cuda`."""
        return self.hello.device

    @property
    def size(self) -> int:
        """The number of slots, free or in use. It is 0 if the node cannot judge or is drained."""
        return 0 if self.problem or self.drained else sum(self.hello.slots.values())

    @property
    def problem(self) -> str | None:
        """Why the node cannot judge: the reason that it reported, or what is missing in its Hello message. None if it can
        judge.
        """
        return self.reason or devices_lacking(self.hello) or None

    @property
    def free(self) -> Slots:
        """The slots to which jobs may be offered: the free slots that the node last reported, minus the jobs sent since then.

        No slot is free while the node runs the retry of a job that was lost before, because that job must run alone.

        The node reports a slot as free before the result of the slot's last job is written to SQL, so more jobs than slots
        can be open on a node. The limit is two jobs per slot. With more, leases could expire while results wait to be
        written.
        """
        alone = any(run.claim.attempt > 1 for run in self.running.values())
        if alone or self.problem or self.drained or time.monotonic() < self._held_until:
            return NOTHING_FREE
        sent = self._since_ready + [run.claim.short for run in self.running.values() if run.accepted_at is None]
        short, room = sum(sent), max(0, 2 * sum(self.hello.slots.values()) - len(self.running))
        of_any = min(room, max(0, self._ready.any - (len(sent) - short)))
        return Slots(min(room - of_any, max(0, self._ready.short - short)), of_any)

    def report(self, ready: Ready) -> None:
        """Store the free slots that the node reported."""
        self._ready, self._since_ready, self._held_until = Slots(ready.short, ready.any), [], 0.0
        self.reason = None

    def offer(self, claim: Claim, trace: str = "") -> None:
        """Queue an offer of this job to the node. `trace` is the trace context to which the node's spans belong."""
        self.running[claim.job.token] = Running(claim)
        self.outbox.put_nowait(Offer(claim.job, claim.short, trace=trace))

    def accepted(self, token: str) -> Running | None:
        """Mark a job as accepted by the node. Returns None if the job does not belong to the node, or was accepted before."""
        run = self.running.get(token)
        if run is None or run.accepted_at is not None:
            return None
        run.accepted_at = time.monotonic()
        self._since_ready.append(run.claim.short)
        return run

    def forget(self, held: set[str], lease_s: float) -> None:
        """Forget jobs whose end was never reported. These are the jobs that the node accepted more than `lease_s` seconds ago
        and that it no longer reports as running. `held` contains the tokens of the jobs that it does report.
        """
        over = [token for token, run in self.running.items() if token not in held and run.seconds > lease_s]
        for token in over:
            del self.running[token]

    def took(self, seconds: float) -> None:
        """Record that a judging finished after this many seconds."""
        self.judged += 1
        self._ends.append((time.monotonic(), seconds))

    @property
    def recent_durations(self) -> list[float]:
        """Durations, in seconds, of the node's judgings that finished within the last minute."""
        return [seconds for ended, seconds in self._ends if ended > time.monotonic() - RATE_S]

    def hold(self) -> None:
        """Offer no more jobs to this node for one second, or until it reports its free slots if that is sooner. Used after the
        node refused a job or failed to finish one.
        """
        self._held_until = time.monotonic() + HOLD_S


class Nodes:
    """The nodes that are connected to this process, the numbers of slots of other processes, and how long judgings take."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._remote_slots: dict[str, tuple[dict[str, int], float]] = {}
        self._mean_s: defaultdict[str, float] = defaultdict(lambda: USUAL_S)
        self.drained: set[str] = set()
        self.process_reason: str | None = None
        # When a node last disconnected from this process; initially the time at which the process started.
        self.left_at = now()

    def all(self) -> list[Node]:
        """Return the connected nodes, one per name. If two nodes have the same name, only the one that connected first is
        returned. The other gets no jobs, because it may be a duplicate or an impostor.
        """
        return list({node.name: node for node in reversed(self._nodes)}.values())

    def add(self, node: Node) -> None:
        """Add a node that has sent its Hello message."""
        node.drained = node.name in self.drained
        self._nodes.append(node)

    def remove(self, node: Node) -> None:
        """Remove a node whose connection has ended."""
        if node in self._nodes:
            self._nodes.remove(node)
            self.left_at = now()

    def drain(self, names: set[str]) -> None:
        """Set which nodes are drained: those with these names, and no others. A drained node gets no jobs, even if it
        reconnects.
        """
        self.drained = names
        for node in self._nodes:
            node.drained = node.name in self.drained

    def others(self, node: Node) -> bool:
        """Return whether a node other than this one, with the same kind of device, can judge."""
        return any(other is not node and other.size for other in self.of(node.device))

    def of(self, device: str) -> list[Node]:
        """Return the connected nodes with this kind of device."""
        return [node for node in self.all() if node.device == device]

    def ended(self, node: Node, token: str) -> bool:
        """Record that a node finished a job, and update the average duration. Returns False if the node was not running that
        job.
        """
        run = node.running.pop(token, None)
        if run is None:
            return False
        node.took(run.seconds)
        self._mean_s[node.device] = 0.8 * self._mean_s[node.device] + 0.2 * run.seconds
        return True

    def report_remote_slots(self, instance_id: str, sizes: dict[str, int]) -> None:
        """Store how many slots per device the nodes of another process have. Every process reports this once a second."""
        self._remote_slots[instance_id] = (sizes, time.monotonic())

    def own_sizes(self) -> dict[str, int]:
        """Return how many slots per device the nodes of this process have. Nodes that cannot judge count as 0."""
        return {device: sum(node.size for node in self.of(device)) for device in {n.device for n in self.all()}}

    def size(self, device: str = CPU) -> int:
        """Return how many slots for a device the nodes of all processes have. Nodes that cannot judge count as 0."""
        oldest = time.monotonic() - REMOTE_SLOTS_S
        self._remote_slots = {
            instance_id: report for instance_id, report in self._remote_slots.items() if report[1] > oldest
        }
        every = [self.own_sizes(), *(sizes for sizes, _ in self._remote_slots.values())]
        return sum(sizes.get(device, 0) for sizes in every)

    def reason(self, device: str = CPU) -> str | None:
        """Return why no submission for this device can be judged at present, or None if judging works."""
        if self.size(device):
            return None
        if not (nodes := self.of(device)):
            return NO_GPU if device == CUDA else self.process_reason or "No grading node is connected."
        reasons = (node.problem or (DRAINED if node.drained else "The node has no slots") for node in nodes)
        return " ".join(dict.fromkeys(_sentence(reason) for reason in reasons))

    def plain_reason(self, device: str = CPU) -> str | None:
        """Return the same as `reason`, but in the form in which users who wait for a result see it. If a node has a problem,
        the text does not describe that problem, because only operators may see the details.
        """
        reason = self.reason(device)
        at_fault = any(node.problem for node in self.of(device))
        return NOT_NOW if reason and at_fault else reason

    def expected_wait_s(self, position: int, device: str = CPU) -> float | None:
        """Return the expected number of seconds until the submission at this queue position starts, or None if no slot is
        available.
        """
        size = self.size(device)
        return round(max(0, position - 1) * self._mean_s[device] / size, 1) if size else None

    def wait(self, position: int | None, device: str) -> dict[str, object]:
        """Return the values of the API's `Wait`: the queue position, the expected seconds until the submission starts, and why
        nothing can be judged at present (None if judging works).
        """
        wait_s = self.expected_wait_s(position, device) if position else None
        return {"position": position, "expected_wait_s": wait_s, "reason": self.plain_reason(device)}


def devices_lacking(hello: Hello) -> str:
    """Return a sentence if a GPU node reports fewer GPUs than slots, else "". A GPU runs one job at a time, so each slot needs
    its own GPU.
    """
    slots, named = sum(hello.slots.values()), len(set(hello.gpus))
    if hello.device != CUDA or named >= slots:
        return ""
    return f"The node says that it judges on GPUs, but names {named} for its {slots} slot{'' if slots == 1 else 's'}"


def _sentence(reason: str) -> str:
    """Return the text with a capital first letter and a full stop."""
    text = reason.strip().rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."
