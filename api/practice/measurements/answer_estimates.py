"""Decides what the measurements of an answer say together: whether they count, what they estimate, and what is still missing."""

import ast
import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from api.practice.measurements.models import ACCEPTED, REVIEWED_FLAGS, WITHDRAWN, Flag, Measurement, Status
from grader.contract.measurement import Measurement as Result
from grader.contract.measurement import MeasurementPlan
from grader.contract.ranking import Interval, interval

# An answer that would be among the first TOP places gets its place only after CONFIRMED measurements that count. An answer is
# measured at most MOST times, including measurements that do not count because the machine was too busy.
TOP, CONFIRMED, MOST = 10, 2, 4
# The greatest standard error of a measurement that counts: 0.08 is an interval of about ±24 %. An answer whose time varies more
# than this could share the first place with everybody.
WIDEST = 0.08
# The least standard error that is used as a weight, so that a measurement without any scatter does not count alone.
SHARPEST = 1e-4


@dataclass(frozen=True)
class Estimate:
    """The estimated logarithm of the ratio of baseline and answer, and its standard error."""

    log_ratio: float
    std_error: float

    def interval(self, noise: float) -> Interval:
        return interval(self.log_ratio, self.std_error, noise)


def combined(estimates: Sequence[Estimate]) -> Estimate:
    """Combine independent estimates of the same value, each with the inverse of its variance as its weight."""
    weights = [max(each.std_error, SHARPEST) ** -2 for each in estimates]
    total = math.fsum(weights)
    mean = math.fsum(each.log_ratio * weight for each, weight in zip(estimates, weights, strict=True)) / total
    return Estimate(mean, total**-0.5)


@dataclass(frozen=True)
class Answer:
    """All measurements of the same code by one account that belong to a board, oldest first. Some of them may still be running,
    or may have been made by a machine of another board.
    """

    board_id: str
    rows: tuple[Measurement, ...]

    @property
    def first(self) -> Measurement:
        return next((row for row in self.rows if row.board_id == self.board_id), self.rows[0])

    @property
    def counted(self) -> list[Estimate]:
        """The estimates of the measurements that count."""
        return [estimate_of(row) for row in self.rows if row.board_id == self.board_id and counts(row)]

    @property
    def refused(self) -> bool:
        """Whether the answer must have no place: a moderator has withdrawn it or has to review it, or it failed in a chain."""
        return any(
            row.review == WITHDRAWN or row.status == Status.FAILED or (row.flag in REVIEWED_FLAGS and not row.review)
            for row in self.rows
        )

    @property
    def pending(self) -> bool:
        """Whether a measurement of the answer waits or runs."""
        return any(row.status in (Status.WAITING, Status.RUNNING) for row in self.rows)

    @property
    def estimate(self) -> Estimate | None:
        """What all measurements that count say together, or None if the answer must have no place."""
        found = self.counted
        return combined(found) if found and not self.refused else None

    @property
    def may_be_repeated(self) -> bool:
        """Whether another measurement may be queued."""
        return not self.pending and not self.refused and len(self.rows) < MOST


def answers(board_id: str, rows: Iterable[Measurement]) -> list[Answer]:
    """Group measurements of one account by their code."""
    found: dict[str, list[Measurement]] = {}
    for row in rows:
        found.setdefault(row.code, []).append(row)
    return [Answer(board_id, tuple(some)) for some in found.values()]


def counts(row: Measurement) -> bool:
    """Return whether a measurement counts."""
    accepted = row.flag in REVIEWED_FLAGS and row.review == ACCEPTED
    return row.status == Status.MEASURED and row.review != WITHDRAWN and (not row.flag or accepted)


def estimate_of(row: Measurement) -> Estimate:
    assert row.log_ratio is not None
    assert row.std_error is not None
    return Estimate(row.log_ratio, row.std_error)


def flag_of(result: Result, earlier: Sequence[Estimate], noise: float) -> str:
    """Return why a measurement does not count, or an empty text. `earlier` are the estimates of the same answer so far."""
    if result.shared:
        return Flag.SHARED
    if any(size.answer < size.floor for size in result.sizes):
        return Flag.FLOOR
    if result.std_error > WIDEST:
        return Flag.WIDE
    found = Estimate(result.log_ratio, result.std_error).interval(noise)
    for each in earlier:
        other = each.interval(noise)
        if found.low > other.high or other.low > found.high:
            return Flag.DISAGREES
    return ""


def problem(result: Result, plan: MeasurementPlan) -> str:
    """Say what is wrong with what a node returned, or return an empty text."""
    if [size.size for size in result.sizes] != [size.size for size in plan.sizes]:
        return "the node measured other sizes than it was asked to"
    values = [value for size in result.sizes for value in (size.answer, size.baseline, size.floor)]
    if not all(math.isfinite(value) and value >= 0 for value in (*values, result.std_error)):
        return "the node returned a value that is not a finite number of at least 0"
    if not math.isfinite(result.log_ratio) or abs(result.log_ratio) > 100:
        return "the node returned a ratio that cannot be right"
    machine = result.machine
    if not (machine.cpu and machine.torch and machine.runner):
        return "the node did not say which machine it is"
    return ""


def plan_digest(plan: MeasurementPlan) -> str:
    """Return the digest of everything that a measurement depends on, apart from the answer and the machine."""
    return hashlib.sha256(msgspec.json.encode(plan)).hexdigest()


def code_digest(source: str) -> str:
    """Return a digest of what Python runs: the syntax tree, without comments, docstrings and formatting. A source that is
    nested too deeply for that is compared as text.
    """
    try:
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                node.body = [each for each in node.body if not _is_text(each)] or [ast.Pass()]
        text = ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = source
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
