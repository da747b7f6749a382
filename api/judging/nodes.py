"""Connected nodes: what each can take now, and what it is judging. Memory only; SQL knows who owns what."""

import asyncio
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from datetime import datetime

from api.db import now
from api.judging.claims import Claim, Slots
from grader.job import Policy
from grader.transport import Hello, Offer, Ready, ToNode

HOLD_S = 1.0
# How long a judging takes until one was seen.
USUAL_S = 0.5
RATE_S = 60
REMEMBERED = 10_000
# What another process told of its nodes counts for so long.
TOLD_S = 5.0
NOTHING_FREE = Slots(0, 0)
DRAINED = "An admin has taken the node out of service for a while"
CPU, CUDA = "cpu", "cuda"
NO_GPU = "No node with a GPU is connected."


@dataclass
class Running:
    """A job that was offered to a node. `accepted_at` is monotonic time, None until the node took it up."""

    claim: Claim
    accepted_at: float | None = None

    @property
    def seconds(self) -> float:
        """How long it has been judged."""
        return time.monotonic() - self.accepted_at if self.accepted_at else 0.0


@dataclass(eq=False)
class Node:
    """One connection of a node, from its Hello to its end."""

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
    # Accounts whose own cells are at slots that have become free since it was last offered something.
    kept: set[str] = field(default_factory=set)
    _ends: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _ready: Slots = NOTHING_FREE
    _since_ready: list[bool] = field(default_factory=list)
    _held_until: float = 0.0

    @property
    def name(self) -> str:
        """How the node calls itself."""
        return self.hello.node

    @property
    def device(self) -> str:
        """What it judges on."""
        return self.hello.device

    @property
    def size(self) -> int:
        """Number of its slots, while it can judge and may."""
        return 0 if self.problem or self.drained else sum(self.hello.slots.values())

    @property
    def problem(self) -> str | None:
        """Why it cannot judge: what it says itself, or what its Hello lacks."""
        return self.reason or devices_lacking(self.hello) or None

    @property
    def free(self) -> Slots:
        """Slots that may be offered a job: what it last reported, less what was sent since; and while ends of its jobs wait to be
        written down, it runs no further ahead of that than by its slots: their leases must not run out.
        """
        alone = any(run.claim.attempt > 1 for run in self.running.values())
        if alone or self.problem or self.drained or time.monotonic() < self._held_until:
            return NOTHING_FREE
        sent = self._since_ready + [run.claim.short for run in self.running.values() if run.accepted_at is None]
        short, room = sum(sent), max(0, 2 * sum(self.hello.slots.values()) - len(self.running))
        of_any = min(room, max(0, self._ready.any - (len(sent) - short)))
        return Slots(min(room - of_any, max(0, self._ready.short - short)), of_any)

    def report(self, ready: Ready) -> None:
        """It said how much is free."""
        self._ready, self._since_ready, self._held_until = Slots(ready.short, ready.any), [], 0.0
        self.reason = None

    def offer(self, claim: Claim, trace: str = "") -> None:
        """Send a job, with the trace that the node is to tell of."""
        self.running[claim.job.token] = Running(claim)
        self.outbox.put_nowait(Offer(claim.job, claim.short, trace=trace))

    def accepted(self, token: str) -> Running | None:
        """It took a job up; None when the job is no longer its own."""
        run = self.running.get(token)
        if run is None or run.accepted_at is not None:
            return None
        run.accepted_at = time.monotonic()
        self._since_ready.append(run.claim.short)
        return run

    def forget(self, held: set[str], lease_s: float) -> None:
        """What it had, holds no more, and nobody told the end of: its lease is over."""
        over = [token for token, run in self.running.items() if token not in held and run.seconds > lease_s]
        for token in over:
            del self.running[token]

    def took(self, seconds: float) -> None:
        """It has ended a judging."""
        self.judged += 1
        self._ends.append((time.monotonic(), seconds))

    @property
    def lately(self) -> list[float]:
        """How many seconds each judging took that ended within the last minute."""
        return [seconds for ended, seconds in self._ends if ended > time.monotonic() - RATE_S]

    def hold(self) -> None:
        """It refused or fell silent: send nothing until it reports again, or for a second."""
        self._held_until = time.monotonic() + HOLD_S


class Nodes:
    """All connected nodes by name, and how long a judging takes them."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._elsewhere: dict[str, tuple[dict[str, int], float]] = {}
        self._mean_s: defaultdict[str, float] = defaultdict(lambda: USUAL_S)
        self.drained: set[str] = set()
        self.process_reason: str | None = None

    def all(self) -> list[Node]:
        """Every connected node. While one is there, others of its name get no jobs: doubles, or somebody else."""
        return list({node.name: node for node in reversed(self._nodes)}.values())

    def add(self, node: Node) -> None:
        """A node has said Hello."""
        node.drained = node.name in self.drained
        self._nodes.append(node)

    def remove(self, node: Node) -> None:
        """Its connection has ended."""
        if node in self._nodes:
            self._nodes.remove(node)

    def drain(self, names: set[str]) -> None:
        """Nodes of these names get no jobs, now and when they connect anew; all others do."""
        self.drained = names
        for node in self._nodes:
            node.drained = node.name in self.drained

    def others(self, node: Node) -> bool:
        """Whether another node of the same device can judge."""
        return any(other is not node and other.size for other in self.of(node.device))

    def of(self, device: str) -> list[Node]:
        """Every connected node of a device."""
        return [node for node in self.all() if node.device == device]

    def ended(self, node: Node, token: str) -> bool:
        """A node has judged something: both learn from how long that took. False if it had no such job."""
        run = node.running.pop(token, None)
        if run is None:
            return False
        node.took(run.seconds)
        if run.claim.job.policy is Policy.ACCOUNT:
            node.kept.add(run.claim.job.owner)
        self._mean_s[node.device] = 0.8 * self._mean_s[node.device] + 0.2 * run.seconds
        return True

    def elsewhere(self, mark: str, sizes: dict[str, int]) -> None:
        """Another process of the service tells, every second, how many slots it has of each device."""
        self._elsewhere[mark] = (sizes, time.monotonic())

    def own_sizes(self) -> dict[str, int]:
        """Slots of all nodes of this process that can judge, by device."""
        return {device: sum(node.size for node in self.of(device)) for device in {n.device for n in self.all()}}

    def size(self, device: str = CPU) -> int:
        """Slots of all nodes of a device that can judge."""
        lately = time.monotonic() - TOLD_S
        self._elsewhere = {mark: told for mark, told in self._elsewhere.items() if told[1] > lately}
        every = [self.own_sizes(), *(sizes for sizes, _ in self._elsewhere.values())]
        return sum(sizes.get(device, 0) for sizes in every)

    def reason(self, device: str = CPU) -> str | None:
        """Why nothing that was sent for a device can be judged at present; None when it can."""
        if self.size(device):
            return None
        if not (nodes := self.of(device)):
            return NO_GPU if device == CUDA else self.process_reason or "No grading node is connected."
        reasons = (node.problem or (DRAINED if node.drained else "The node has no slots") for node in nodes)
        return " ".join(dict.fromkeys(_sentence(reason) for reason in reasons))

    def expected_wait_s(self, position: int, device: str = CPU) -> float | None:
        """Seconds until the judging at this position of a device starts; None when nobody can say."""
        size = self.size(device)
        return round(max(0, position - 1) * self._mean_s[device] / size, 1) if size else None

    def wait(self, position: int | None, device: str) -> dict[str, object]:
        """Position, expected wait and, when nothing can be judged, the reason."""
        wait_s = self.expected_wait_s(position, device) if position else None
        return {"position": position, "expected_wait_s": wait_s, "reason": self.reason(device)}


def devices_lacking(hello: Hello) -> str:
    """A GPU has one tenant at a time, so a node with GPUs names one for each of its slots; says how many it lacks, or nothing."""
    slots, named = sum(hello.slots.values()), len(set(hello.gpus))
    if hello.device != CUDA or named >= slots:
        return ""
    return f"The node says that it judges on GPUs, but names {named} for its {slots} slot{'' if slots == 1 else 's'}"


def _sentence(reason: str) -> str:
    """As people read it: a capital first, a full stop last."""
    text = reason.strip().rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."
