"""Estimates the throughput of many nodes, with a simulation of the connection over NATS. dispatch.py provides its parameters.

The service processes, PostgreSQL and nats-server are modelled as one server with a few cores. It takes transactions from three
queues in turn: claims (at most one per node), reports of outcomes, and heartbeats. A transaction takes a fixed time, plus a
time for each judging in it. Both times are computed from two measurements: one with one slot per node, one with many slots per
node. As in the real service, more judgings share a transaction when more are waiting. A judging also takes time on its node and
on the network.
"""

import heapq
import json
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from api.judging.dispatch.verdicts import MOST
from grader.content.proof import load
from grader.node.node import HEARTBEAT_S
from tests.live import ROOT

# A warm cell takes this many seconds for a judging, in addition to the answer's CPU time (README.md, «Figures»).
CELL_S = 0.07
NODES = (10, 30, 100, 300, 1000)
SLOTS = 4
SIMULATED_S = 20.0
BUSY = 0.98

# A waiting transaction is a function. The simulation calls it when a core is free for it. The call returns the number of
# judgings in the transaction, and a function that the simulation calls when the transaction is finished.
Step = Callable[[], tuple[int, Callable[[], None]]]


@dataclass(frozen=True)
class Way:
    """The modelled server, through which submissions reach the nodes. It processes `cores` transactions at the same time.
    A transaction takes `transaction_s` seconds, plus `judging_s` seconds for each judging in it. Each judging is in two
    transactions, its claim and its report, and also takes `wire_s` seconds on the network.
    """

    transaction_s: float
    judging_s: float
    wire_s: float
    cores: int

    @property
    def most_per_second(self) -> float:
        """The upper limit of judgings per second, which would be reached if the fixed cost of a transaction were zero."""
        return self.cores / (2 * self.judging_s) if self.judging_s else float("inf")


@dataclass(frozen=True)
class Load:
    """The number of nodes and of slots per node. `judging_s` returns a random time for a judging, and `next_s` the time until
    the next submission. If `next_s` returns 0, the queue never gets empty.
    """

    nodes: int
    slots: int
    judging_s: Callable[[], float]
    next_s: Callable[[], float] = lambda: 0.0


@dataclass
class Seen:
    """What a simulation has measured. `way_s` is the time for which the modelled server's cores were busy, summed over the
    cores.
    """

    judged: int = 0
    seconds: float = 0.0
    way_s: float = 0.0
    waited_s: float = 0.0
    started: int = 0
    claims: int = 0

    @property
    def per_second(self) -> float:
        """The number of judgings per second."""
        return self.judged / self.seconds

    @property
    def wait_s(self) -> float:
        """The average seconds that a submission waited in the queue."""
        return self.waited_s / max(1, self.started)


@dataclass
class Simulation:
    """One run of the simulation. It advances the time `now` from one scheduled call to the next. Free cores take waiting
    transactions from three queues.
    """

    way: Way
    load: Load
    now: float = 0.0
    seen: Seen = field(default_factory=Seen)

    def __post_init__(self) -> None:
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._claims, self._writes, self._beats = deque[Step](), deque[Step](), deque[Step]()
        self._lines = deque([self._claims, self._writes, self._beats])
        self._idle_cores = self.way.cores
        self._free = [self.load.slots] * self.load.nodes
        self._asks = [False] * self.load.nodes
        self._ends = 0
        self._ends_in_line = False
        self._queue: deque[float] = deque()
        self._endless = self.load.next_s() == 0.0

    def run(self, seconds: float, warm_up_s: float) -> Seen:
        """Simulate `warm_up_s` seconds without measuring, then `seconds` more. Return what was measured in the second part."""
        for node in range(self.load.nodes):
            self._at(random.uniform(0, HEARTBEAT_S), partial(self._beat, node))
            if self._endless:
                self._at(random.uniform(0, 1.0), partial(self._ask, node))
        if not self._endless:
            self._arrive()
        self._until(warm_up_s)
        self.seen = Seen()
        self._until(warm_up_s + seconds)
        self.seen.seconds = seconds
        return self.seen

    def _until(self, moment: float) -> None:
        while self._later and self._later[0][0] <= moment:
            self.now, _, deed = heapq.heappop(self._later)
            deed()

    def _at(self, seconds: float, deed: Callable[[], None]) -> None:
        heapq.heappush(self._later, (self.now + seconds, next(self._order), deed))

    def _stand(self, line: deque[Step], step: Step) -> None:
        line.append(step)
        self._serve()

    def _serve(self) -> None:
        while self._idle_cores and (line := self._next()):
            judgings, done = line.popleft()()
            self._idle_cores -= 1
            seconds = self.way.transaction_s + judgings * self.way.judging_s
            self.seen.way_s += seconds
            self._at(seconds, partial(self._served, done))

    def _next(self) -> deque[Step] | None:
        """Return the queue from which the next transaction is taken, or None if all queues are empty. The queues take turns."""
        for _ in range(len(self._lines)):
            self._lines.rotate(-1)
            if self._lines[-1]:
                return self._lines[-1]
        return None

    def _served(self, done: Callable[[], None]) -> None:
        self._idle_cores += 1
        done()
        self._serve()

    def _arrive(self) -> None:
        self._queue.append(self.now)
        free = [node for node, slots in enumerate(self._free) if slots and not self._asks[node]]
        if free:
            self._ask(random.choice(free))
        self._at(self.load.next_s(), self._arrive)

    def _ask(self, node: int) -> None:
        if not self._asks[node]:
            self._asks[node] = True
            self._stand(self._claims, lambda: self._claim(node))

    def _claim(self, node: int) -> tuple[int, Callable[[], None]]:
        self._asks[node] = False
        some = self._free[node] if self._endless else min(self._free[node], len(self._queue))
        self._free[node] -= some
        self.seen.claims += some > 0
        self.seen.started += some
        if not self._endless:
            self.seen.waited_s += sum(self.now - self._queue.popleft() for _ in range(some))
        return some, lambda: self._offered(node, some)

    def _offered(self, node: int, some: int) -> None:
        for _ in range(some):
            self._at(self.way.wire_s + self.load.judging_s(), lambda: self._judged(node))

    def _judged(self, node: int) -> None:
        self._free[node] += 1
        self._ends += 1
        if not self._ends_in_line:
            self._ends_in_line = True
            self._stand(self._writes, self._write)
        if self._endless or self._queue:
            self._ask(node)

    def _write(self) -> tuple[int, Callable[[], None]]:
        some = min(MOST, self._ends)
        self._ends -= some
        self._ends_in_line = self._ends > 0
        if self._ends_in_line:
            self._writes.append(self._write)
        return some, lambda: self._written(some)

    def _written(self, some: int) -> None:
        self.seen.judged += some

    def _beat(self, node: int) -> None:
        self._stand(self._beats, lambda: (0, lambda: None))
        self._at(HEARTBEAT_S, lambda: self._beat(node))


def calibrated(few: dict[str, Any], many: dict[str, Any], wire_ms: float, cores: int) -> Way:
    """Compute the costs from two measurements, with few and with many slots per node.

    The two measurements differ in the number of transactions per judging, so the cost per transaction can be told apart from
    the cost per judging.
    """
    few_s, many_s = _way_s(few), _way_s(many)
    transaction_s = max(0.0, (few_s - many_s) / (few["transactions"] - many["transactions"]))
    each_s = max(0.0, many_s - transaction_s * many["transactions"])
    return Way(transaction_s, each_s / 2, max(0.0, wire_ms) / 1000, cores)


def _way_s(figures: dict[str, Any]) -> float:
    spent = figures["processor_ms"]
    return float(spent["service"] + spent["nats"] + spent["postgresql"]) / 1000


def judging_times() -> list[float]:
    """Return how many seconds it takes to judge the reference of each challenge: CELL_S plus the CPU time in its gate.lock."""
    proofs = filter(None, (load(path.parent) for path in sorted(ROOT.glob("challenges/*/*/gate.lock"))))
    return [CELL_S + json.loads(bytes(proof.record))["cpu_s"] for proof in proofs]


def table(way: Way, times: Sequence[float]) -> list[dict[str, Any]]:
    """Simulate a queue that never gets empty, for each number of nodes. Return the throughput, and what limits it: the nodes or
    the server.
    """
    mean_s, rows = sum(times) / len(times), []
    random.seed(7)
    for nodes in NODES:
        seen = Simulation(way, Load(nodes, SLOTS, lambda: random.choice(times))).run(SIMULATED_S, warm_up_s=5.0)
        busy = seen.way_s / (seen.seconds * way.cores)
        row = {
            "nodes": nodes,
            "slots_alone_per_second": round(nodes * SLOTS / (mean_s + way.wire_s), 1),
            "delivered_per_second": round(seen.per_second, 1),
            "way_busy": round(min(1.0, busy), 2),
            "judgings_a_claim": round(seen.started / max(1, seen.claims), 2),
            "bound": "the way" if busy > BUSY else "nodes",
        }
        rows.append(row)
    return rows


def show(way: Way, rows: Sequence[dict[str, Any]], mean_s: float) -> None:
    """Print the table, and the parameters of the simulation."""
    print(
        f"\nSimulated: nodes of {SLOTS} slots, an endless queue, {mean_s * 1000:.0f} ms a judging (the repository's challenges). "
        f"The way: {way.cores} cores, {way.transaction_s * 1000:.2f} ms a transaction, {way.judging_s * 2000:.2f} ms a judging, "
        f"{way.wire_s * 1000:.1f} ms the wire."
    )
    print(f"{'nodes':>8}{'slots alone/s':>16}{'delivered/s':>14}{'way busy':>11}{'a claim':>10}   bounded by")
    for row in rows:
        alone, busy = row["slots_alone_per_second"], f"{row['way_busy']:.0%}"
        told = f"{row['nodes']:>8}{alone:>16}{row['delivered_per_second']:>14}{busy:>11}{row['judgings_a_claim']:>10}"
        print(f"{told}   {row['bound']}")
