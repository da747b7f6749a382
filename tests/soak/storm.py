"""Runs the clients and causes the faults. Faults happen one at a time, each after the service has recovered from the one
before.

The service has recovered when it has judged all submissions that were being judged during the fault, and a submission that
was sent after the fault.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.soak.answers import Answer
from tests.soak.book import Book, Sent
from tests.soak.clients import LOOK_EVERY_S, Client, Crowd, Gate
from tests.soak.faults import Missed
from tests.soak.ground import Ground, Order
from tests.soak.schedule import Strike
from tests.soak.stage import wait_until

CLIENTS, BAITS = 4, 2
BAIT_S, RECOVERY_S, DRAIN_S = 30.0, 120.0, 90.0


@dataclass
class Hit:
    """A fault that happened. `detail` says what it hit, and `judging` what was being judged. `recovered_s` is the number of
    seconds until recovery, or None if the service did not recover.
    """

    strike: Strike
    at: float
    detail: str = ""
    missed: bool = False
    judging: list[str] = field(default_factory=list)
    """Ids that were being judged just before or just after."""
    recovered_s: float | None = None


class Storm:
    """Runs clients against a ground, which is a running service with its nodes, and causes faults on it. `tell` is called twice
    a second and after every fault, to report progress.
    """

    def __init__(self, ground: Ground, book: Book, order: Order, tell: Callable[["Storm"], None]) -> None:
        self.ground, self.book, self.hits = ground, book, list[Hit]()
        self.submissions, self.phase = order.submissions, "the service is ready"
        seed = order.seed
        self.began = time.monotonic()
        self.rained_s = 0.0
        self._tell, self._stop, self._gate = tell, threading.Event(), Gate()
        self._answers: Iterator[Answer] = ground.answers(seed)
        self._baits = [Client(ground.candidate(), book, f"bait {seed}/{n}", self._stop) for n in range(BAITS)]
        self.clients = [Client(ground.candidate(), book, f"client {seed}/{n}", self._stop) for n in range(CLIENTS)]
        self.crowd = Crowd(self.clients, self._answers, self._gate, self._stop)
        self._baiting = ground.slow_answer()

    def run(self, strikes: list[Strike], until: float) -> None:
        """Cause faults until the time `until`. Then allow all submissions that are left, and wait for their verdicts."""
        ticker = threading.Thread(target=self._tick, daemon=True)
        ticker.start()
        self.crowd.start()
        rest = self.submissions - len(strikes) * (BAITS + 1)
        for place, strike in enumerate(strikes):
            if time.monotonic() > until:
                break
            wave = rest // (len(strikes) - place)
            self._gate.open(wave)
            rest -= wave
            self._strike(strike)
        unused = len(strikes) - len(self.hits)
        self._gate.open(rest + unused * (BAITS + 1))
        self._gate.close()
        self.rained_s = time.monotonic() - self.began
        self.phase = "no more faults; the rest is judged"
        # Two slots judge about four submissions a second, because some answers sleep.
        self.crowd.join(DRAIN_S + self.submissions / 2)
        for client in self._baits:
            self._wait(client, [sent for sent in self.book.unfinished() if sent.id], 5.0)
        self._stop.set()
        ticker.join()

    def close(self) -> None:
        """Stop and close all clients."""
        self._stop.set()
        for client in (*self._baits, *self.clients):
            client.close()

    def _tick(self) -> None:
        while not self._stop.wait(0.5):
            self._tell(self)

    def _strike(self, strike: Strike) -> None:
        self.phase = f"{strike.number}: {strike.fault.name}"
        baits = [client.send(self._baiting) for client in self._baits]
        ids = {bait.id for bait in baits}
        wait_until(lambda: ids & set(self.ground.being_judged()), BAIT_S)
        time.sleep(strike.delay_s)
        hit = Hit(strike, time.monotonic(), judging=self.ground.being_judged())
        self.hits.append(hit)
        try:
            hit.detail = strike.fault.strike(self.ground, random.Random(strike.seed))
        except Missed:
            hit.missed = True
        hit.judging = sorted({*hit.judging, *self.ground.being_judged()})
        over = time.monotonic()
        self.phase = f"{strike.number}: {strike.fault.name}, recovering"
        if self._recovered(hit, baits):
            hit.recovered_s = time.monotonic() - over
        self._tell(self)

    def _recovered(self, hit: Hit, baits: list[Sent]) -> bool:
        until = time.monotonic() + RECOVERY_S
        try:
            self.ground.wait_until_ready(RECOVERY_S)
        except TimeoutError:  # if the service has ended, RuntimeError is raised instead and ends the run
            return False
        struck = set(hit.judging)
        probe = self._baits[0].send(next(self._answers))
        for client, mine in zip(self._baits, ([baits[0], probe], [baits[1]]), strict=True):
            if self._wait(client, mine, until - time.monotonic()):
                return False
        return wait_until(lambda: not struck & set(self.ground.unfinished()), max(0.0, until - time.monotonic()))

    def _wait(self, client: Client, waiting: list[Sent], seconds: float) -> list[Sent]:
        until = time.monotonic() + seconds
        while (waiting := client.look(waiting)) and time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
        return waiting
