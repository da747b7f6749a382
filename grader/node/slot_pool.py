"""Manages the slots of a node, and the cells, the judge and the GPUs that they use."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from grader.contract import transport
from grader.contract.errors import GraderError, Unavailable
from grader.hosts.gpu_lock import OnGpu, Tenancy
from grader.hosts.host import Engine
from grader.hosts.machine.pressure import starving
from grader.judging.measuring.bench import MeasuringBench
from grader.judging.pool.judge_supervisor import JudgeSupervisor
from grader.judging.pool.spare_cells import SpareCells
from grader.judging.slots.lane import Lane
from grader.judging.slots.machine_speed import MachineSpeed
from grader.judging.slots.slot import Slot
from grader.node.settings import Settings

GPU_CHECK_S = 5.0


class SlotPool:
    """Gives free slots to jobs. `capacity_changed` is called when cells become usable or unusable, and when a GPU becomes free.

    `check_host` raises Unavailable if this machine does not isolate jobs well enough. While a slot judges, `lane` lets no answer
    be measured. This class is thread-safe.
    """

    def __init__(
        self,
        settings: Settings,
        engine: Engine,
        check_host: Callable[[], None],
        capacity_changed: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._engine = engine
        self._check_host = check_host
        self._capacity_changed = capacity_changed
        self._lock = threading.Lock()
        self._judge = JudgeSupervisor(engine)
        self._first_judge: threading.Thread | None = None
        self._speed = MachineSpeed()
        self.lane = Lane()
        self._tenancies = [Tenancy(gpu) for gpu in settings.gpus]
        engines: Sequence[Engine] = [OnGpu(engine, gpu) for gpu in settings.gpus] or [engine]
        inspect = self._speed.measure_if_due
        self._spares = [
            SpareCells(each, settings.spares, capacity_changed, self._before_first, inspect) for each in engines
        ]
        self._slots = {slot.name: slot for slot in map(self._new_slot, range(settings.slots))}
        self._free = list(self._slots)
        self._on_loan: set[str] = set()

    def _new_slot(self, number: int) -> Slot:
        tenancy = self._tenancies[number] if self._tenancies else None
        spares = self._spares[number if tenancy else 0]
        name = f"{self._settings.name}/{number}"
        return Slot(name, spares, self._judge, self._speed, tenancy=tenancy, lane=self.lane)

    def measuring_bench(self) -> MeasuringBench:
        """Return a bench that measures answers with the judge and a cell of this pool. Use it with `lane`."""
        return MeasuringBench(self._spares[0], self._judge.get)

    def start(self, idle: Callable[[], bool]) -> None:
        """Connect to the engine, and start warming cells. The machine's speed is then measured at regular intervals, whenever
        `idle()` is true.
        """
        with suppress(Unavailable):
            self._engine.connect()
            self._engine.remove_leftovers()
        for spares in self._spares:
            spares.start()
        for slot in self._slots.values():
            slot.start()
        if self._tenancies:
            threading.Thread(target=self._watch_gpus, name="gpus", daemon=True).start()
        self._speed.keep_measuring(self._spares[0].inspect_one, idle)

    def _before_first(self) -> None:
        """Start the judge. In the meantime, check that this machine isolates jobs, and lock the GPUs. This is called before the
        first cell is started, and again before the next attempt if a start has failed.
        """
        if self._first_judge is None or not self._first_judge.is_alive():
            self._first_judge = threading.Thread(target=self._start_judge, name="first-judge", daemon=True)
            self._first_judge.start()
        self._check_host()
        for tenancy in self._tenancies:
            tenancy.hold()
        self._judge.get()

    def _start_judge(self) -> None:
        with suppress(GraderError):  # the next caller of `get` gets the same error and reports it
            self._judge.get()

    @property
    def lanes(self) -> dict[str, int]:
        """The number of slots per lane. Slots of the lane `any` take all jobs. If the node has several slots, one of them is in
        the lane `short`, which takes only short jobs.
        """
        usual = max(1, len(self._slots) - 1)
        return {"any": usual, "short": len(self._slots) - usual}

    def capacity(self) -> transport.Ready | transport.Unavailable:
        """Return the number of free slots, or the reason why no slot can judge.

        If the node has several slots, one is kept for short jobs, so that a short job does not have to wait until a long one,
        such as one that trains a model, has ended.
        """
        problems = {name: slot.problem for name, slot in self._slots.items()}
        if all(problems.values()):
            return transport.Unavailable("; ".join(dict.fromkeys(problems.values())))
        with self._lock:
            free = sum(not problems[name] for name in self._free)
        kept = 1 if len(self._slots) > 1 else 0
        return transport.Ready(short=min(free, kept), any=max(0, free - kept))

    def take(self) -> Slot | None:
        """Take the free slot that was used last. Returns None if no slot is free.

        A slot that cannot judge now is taken only if there is no other free slot. So is a slot that helps with another job: its
        new job waits until the part has ended.
        """
        with self._lock:
            if not self._free:
                return None
            able = [name for name in self._free if not self._slots[name].problem] or self._free
            chosen = ([name for name in able if name not in self._on_loan] or able)[-1]
            self._free.remove(chosen)
            return self._slots[chosen]

    def give_back(self, slot: Slot) -> None:
        """Return a slot to the pool."""
        with self._lock:
            self._free.append(slot.name)

    def borrow(self) -> Slot | None:
        """Return an idle slot that can start at once, to help with a job of another slot. It still counts as free. Returns None
        if there is no such slot.
        """
        with self._lock:
            idle = (self._slots[name] for name in reversed(self._free) if name not in self._on_loan)
            slot = next((slot for slot in idle if slot.ready and not slot.problem), None)
            if slot is not None:
                self._on_loan.add(slot.name)
            return slot

    def end_loan(self, slot: Slot) -> None:
        """Make a slot available to `borrow` again."""
        with self._lock:
            self._on_loan.discard(slot.name)

    def heartbeat(self, tokens: tuple[str, ...]) -> transport.Heartbeat:
        """Build a heartbeat. It tells the service that the jobs with these tokens are still running."""
        cells, spares = sum(slot.warm for slot in self._slots.values()), sum(each.ready for each in self._spares)
        return transport.Heartbeat(tokens, cells, spares, starving(), self._speed.measured)

    def _watch_gpus(self) -> None:
        """Regularly check the GPUs that another program is using, and report when one of them becomes free."""
        while True:
            time.sleep(GPU_CHECK_S)
            if any(tenancy.look_again() for tenancy in self._tenancies if tenancy.occupied):
                self._capacity_changed()

    def close(self) -> None:
        """Finish the queued tasks of all slots, and end every container."""
        for slot in self._slots.values():
            slot.close()
        for spares in self._spares:
            spares.close()
        self._judge.close()
        # Another thread may have started a container while the pool was closing. Only this call removes such a container.
        self._engine.remove_leftovers()
        for tenancy in self._tenancies:
            tenancy.close()
