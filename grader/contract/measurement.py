"""Defines what a node is asked to measure (`MeasurementPlan`), and what it returns (`Measurement`).

A measurement compares an answer with the baseline of its challenge. Both run the same *chain*: a number of calls in which each
input depends on the output before it, so that no call can be left out or made in advance. Each run of a chain has a process of
its own. Runs of the answer and of the baseline alternate, and one of each is a *pair*.

The service and the node exchange these frozen structs as JSON. Nothing here imports torch, docker or a web framework.
"""

from enum import StrEnum

import msgspec

# The fault of a measurement for which the node had no time. The node itself is sound, so the measurement is tried again any
# number of times.
NO_PAUSE = "the node judged jobs without a pause, so nothing could be measured"


class Quantity(StrEnum):
    """What is measured: the time of a call, or the memory that it needs at most."""

    SPEED = "speed"
    MEMORY = "memory"


class ChainSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A size at which the chain runs, and the number of its calls. `flops` is the number of floating-point operations that one
    call needs at least, and `bytes` the number of bytes that it must read and write at least: together they give the floor.
    """

    size: int
    steps: int
    flops: float
    bytes: float


class MeasurementPlan(msgspec.Struct, frozen=True):
    """How an answer is measured. `chain` is the source of a module with the function `chain(solution, size, steps, seed)`, and
    `baseline` the source of an accepted answer. `sizes` ascend; the score is the ratio at the last one.

    The measurement ends when the half-width of the 95 % interval of that ratio is at most `precision` (0.03 for ±3 %), or after
    `budget_s` seconds of measuring.
    """

    quantity: Quantity
    chain: str
    baseline: str
    sizes: tuple[ChainSize, ...]
    precision: float = 0.03
    budget_s: float = 30.0


class MeasuredSize(msgspec.Struct, frozen=True):
    """The medians at one size: seconds per call, or MiB at most. `floor` is the least value that this machine can reach."""

    size: int
    answer: float
    baseline: float
    floor: float
    pairs: int


class OperatorShare(msgspec.Struct, frozen=True):
    """An operator of torch, and its share of the time of a profiled call, from 0 to 1."""

    name: str
    share: float


class MeasuringMachine(msgspec.Struct, frozen=True):
    """The machine that measured. `runner` identifies everything else that can change a score: the build of torch, Python and
    the C library in the grader's image, and the version of the measuring code. Scores with different values of `cpu`, `torch`
    or `runner` are never compared.

    `gflops` (10⁹ floating-point operations a second) and `gb_per_s` (10⁹ bytes a second) are what one thread reaches.
    """

    cpu: str
    torch: str
    runner: str
    gflops: float
    gb_per_s: float


class Measurement(msgspec.Struct, frozen=True):
    """The result of a measurement.

    `log_ratio` is the natural logarithm of baseline / answer at the largest size: above 0, the answer is faster or needs less.
    It is the 20 % trimmed mean over the pairs. `std_error` is its standard error (Yuen, 1974), enlarged for the few `degrees` of
    freedom, so that intervals can be computed as for a normal distribution.

    `shared` says why the machine was too busy to measure, empty if it was quiet. `operators` is what the answer's own process
    reported, so it is a claim and not a fact.
    """

    sizes: tuple[MeasuredSize, ...]
    log_ratio: float
    std_error: float
    degrees: float
    pairs: int
    wall_s: float
    machine: MeasuringMachine
    shared: str = ""
    operators: tuple[OperatorShare, ...] = ()


class Measure(msgspec.Struct, frozen=True, tag="measure"):
    """Asks the node to measure an answer. `slug`, `digest` and `checksum` name the package, as in a job and its offer. `seed`
    determines the inputs of all chains.

    A node measures one answer at a time. It sends Measuring messages while it measures, and one Measured at the end. Cancel
    ends the measurement.
    """

    id: str
    token: str
    slug: str
    digest: str
    checksum: str
    source: str
    seed: int
    plan: MeasurementPlan


class Measuring(msgspec.Struct, frozen=True, tag="measuring"):
    """The measurement is still running. `pairs` is the number of pairs that it has measured so far at the largest size, and
    `half_width` the half-width of the 95 % interval of the ratio, 0.05 for ±5 %; None before there are enough pairs.
    """

    id: str
    token: str
    pairs: int
    half_width: float | None


class Measured(msgspec.Struct, frozen=True, tag="measured"):
    """The end of a measurement. `measurement` is None if there is none. Then either `message` says what the answer did wrong (a
    wrong result in a chain, a limit), for the candidate, or `fault` says why the node or the grader failed, for operators.
    """

    id: str
    token: str
    measurement: Measurement | None = None
    message: str = ""
    fault: str = ""
