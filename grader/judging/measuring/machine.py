"""Measures what one thread of this machine can reach, in a cell: arithmetic in GFLOP/s and memory traffic in GB/s.

From these rates follows the floor of a size, the least time in which a call can do its work. An answer below its floor has left
work out, or the author has declared too much work.
"""

import hashlib
import math

import msgspec

from grader.content.package import Info, Lock, Package
from grader.contract.job import Job, Judgement, Kind, Limits
from grader.contract.measurement import ChainSize, MeasuringMachine, Quantity
from grader.hosts.machine.facts import processor

# Increase this number when a change of the measuring code can change scores.
VERSION = 1
# A copy whose source and target together have this many bytes. The smallest fit into the cache of a core, the largest into no
# cache that many processors have.
WORKING_SETS = tuple(1 << power for power in range(16, 29, 2))
MARK = "machine:"
# Uses the fastest of several runs: a disturbance can only make a run slower.
WORK = f"""
import json
import platform
import time

import torch


def fastest(work, least_s=0.03):
    best, until = float("inf"), time.perf_counter() + least_s
    for number in range(1000):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
        if number >= 4 and time.perf_counter() > until:
            break
    return best


def gflops(n):
    a, b, out = torch.rand(n, n), torch.rand(n, n), torch.empty(n, n)
    return 2e-9 * n**3 / fastest(lambda: torch.mm(a, b, out=out))


def gb_per_s(working_set):
    source = torch.rand(working_set // 8)
    target = torch.empty_like(source)
    return 1e-9 * working_set / fastest(lambda: target.copy_(source))


print("{MARK}" + json.dumps({{
    "gflops": max(gflops(n) for n in (256, 512, 1024)),
    "gb_per_s": {{str(size): gb_per_s(size) for size in {WORKING_SETS}}},
    "torch": torch.__version__,
    "build": platform.python_version() + "".join(platform.libc_ver()) + torch.__config__.show(),
}}))
"""
LIMITS = Limits(cpu_s_per_call=30.0, cpu_s=30.0, memory_mb=1024)
_INFO = Info("Machine", "", "", "easy", (), 1, "", "", (), (), limits=LIMITS)
PACKAGE = Package("machine", "machine", _INFO, "", "", "", Lock(()), "", "", "", ())
JOB = Job("machine", "machine", Kind.SCRATCH, "machine", "machine", WORK, "machine", 0)


class Rates(msgspec.Struct, frozen=True):
    """What the cell reported. `gb_per_s` maps the working set of a copy, in bytes, to its rate. `build` describes the build of
    torch, Python and the C library.
    """

    gflops: float
    gb_per_s: dict[int, float]
    torch: str
    build: str


def read_rates(judgement: Judgement) -> Rates:
    """Return the rates that WORK has printed. Raises ValueError if it did not finish."""
    _, mark, text = judgement.output.partition(MARK)
    if not mark:
        raise ValueError(f"the machine was not measured: {judgement.message or judgement.output!r}"[:300])
    try:
        return msgspec.json.decode(text, type=Rates, strict=False)
    except msgspec.MsgspecError as error:
        raise ValueError(f"the machine was not measured: {error}") from None


class Machine:
    """The best rates of this machine in all measurements so far, because other load can only make it look slower."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates

    def add(self, rates: Rates) -> None:
        """Take the rates of one more measurement of this machine."""
        known = self._rates
        faster = {size: max(rate, known.gb_per_s.get(size, 0.0)) for size, rate in rates.gb_per_s.items()}
        self._rates = msgspec.structs.replace(rates, gflops=max(rates.gflops, known.gflops), gb_per_s=faster)

    @property
    def facts(self) -> MeasuringMachine:
        """Describe the machine. `gb_per_s` is the rate of the largest copy, which no cache holds."""
        rates = self._rates
        runner = f"{hashlib.sha256(rates.build.encode()).hexdigest()[:12]}-{VERSION}"
        bandwidth = rates.gb_per_s[max(rates.gb_per_s)]
        return MeasuringMachine(processor(), rates.torch, runner, rates.gflops, bandwidth)

    def floor(self, size: ChainSize, quantity: Quantity) -> float:
        """Return the least seconds per call, or the least MiB, that this machine can reach.

        Uses the rate of a copy that is at most as large as the call's own traffic. A smaller copy is faster, because more of it
        fits into caches, so the floor of a small size is not too high.
        """
        if quantity is Quantity.MEMORY:
            return size.bytes / 2**20
        rates = self._rates
        fitting = [rate for working_set, rate in rates.gb_per_s.items() if working_set <= size.bytes]
        bandwidth = min(fitting, default=math.inf)
        return max(size.flops / (rates.gflops * 1e9), size.bytes / (bandwidth * 1e9))
