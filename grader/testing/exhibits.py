"""Makes exhibits, which are the data for the charts on the page of a test's result. An exhibit is a JSON object {title, kind,
data} of limited size. These are the kinds:

    difference  shapes, dtypes, worst index, error statistics, histogram of log10 errors, map of the errors
    curve       series of numbers over a common axis
    heatmap     a matrix
    gradients   the norm of each named gradient, and the expected norm
    operators   which operators ran and how often; the cell reports this, so an answer could forge it
NaN and infinities, which JSON lacks, are null. These functions never fail a test, whatever value the answer returned.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from grader.testing.comparison.difference import Difference, difference, index_of, wide

MAX_EXHIBITS = 16
MAX_SIDE = 64
MAX_POINTS = 500
MAX_SERIES = 8
MAX_TEXT = 200
MAX_ROWS = 64
OPERATOR = re.compile(r"[A-Za-z_][\w.:]{0,99}", re.ASCII)
"""Names of operators come out of the cell: what does not look like one is counted, not shown."""
LOG_LOW, LOG_HIGH = -18, 6
"""The histogram's outer edges: smaller and larger errors are counted in the outer bins, exact zeros apart."""


class Exhibits:
    """The fixture `exhibit`. Collects at most 16 exhibits per test, and ignores further ones."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []

    def difference(self, title: str, actual: object, expected: object) -> None:
        """Show how far `actual` is from `expected`, and where they differ. Both are tensors or numbers. The exhibit contains
        only errors, and no values of `actual` or `expected`.
        """
        self._add(title, "difference", _difference(actual, expected))

    def curve(
        self, title: str, series: Mapping[str, Sequence[float] | Tensor], x_label: str = "", y_label: str = ""
    ) -> None:
        """Draw one line for each item of `series`, such as {"yours": [...], "reference": [...]}, over the steps 0, 1, 2, ...

        Leaves out all lines after the first 8. A line with more than 500 points is reduced to 500 evenly spaced ones.
        """
        lines = [_line(name, values) for name, values in list(series.items())[:MAX_SERIES]]
        self._add(title, "curve", {"series": lines, "x_label": _text(x_label), "y_label": _text(y_label)})

    def heatmap(self, title: str, matrix: object, x_label: str = "", y_label: str = "") -> None:
        """Show a matrix as colours. A matrix larger than 64 x 64 is reduced to that size by averaging. If the tensor has more
        than two dimensions, the leading ones are stacked as rows.
        """
        cells = _matrix(_tensor(matrix))
        shown = _rows(torch.nn.functional.adaptive_avg_pool2d(cells[None], _sides(cells))[0]) if cells.numel() else []
        data = {"values": shown, "shape": list(cells.shape), "x_label": _text(x_label), "y_label": _text(y_label)}
        self._add(title, "heatmap", data)

    def gradients(self, title: str, actual: Mapping[str, object], expected: Mapping[str, object] | None = None) -> None:
        """Show the 2-norms of named gradients: the first 64, in the order of `expected`. A gradient may be None."""
        beside = {} if expected is None else expected
        names = list(dict.fromkeys([*beside, *actual]))
        rows = [
            {"name": _text(name), "actual": _norm(actual.get(name)), "expected": _norm(beside.get(name))}
            for name in names[:MAX_ROWS]
        ]
        left_out = len(names) - len(rows)
        self._add(title, "gradients", {"rows": rows, "compared": expected is not None, "left_out": left_out})

    def operators(self, title: str, counts: Mapping[str, int]) -> None:
        """Show the 64 operators that ran most often, and how often. `counts` is a dict such as `attest(...).operators`."""
        known = sorted((-count, name) for name, count in counts.items() if OPERATOR.fullmatch(name))
        rows = [{"name": name, "count": -count} for count, name in known[:MAX_ROWS]]
        self._add(title, "operators", {"rows": rows, "left_out": len(counts) - len(rows)})

    def _add(self, title: str, kind: str, data: dict[str, Any]) -> None:
        if len(self.records) < MAX_EXHIBITS:
            self.records.append({"title": _text(title), "kind": kind, "data": data})


def _difference(actual: object, expected: object) -> dict[str, Any]:
    one, other = _tensor(actual), _tensor(expected)
    described = {"actual": _described(actual, one), "expected": _described(expected, other)}
    if one is None or other is None or one.shape != other.shape:
        return {**described, "comparable": False}
    found = difference(wide(one), wide(other), equal_nan=True)
    return {**described, "comparable": True, **_statistics(found), **_pictures(found.error)}


def _tensor(value: object) -> Tensor | None:
    """Convert a tensor, a number or a list of numbers to a tensor. Returns None for any other value, and for a meta tensor,
    which has no values.
    """
    if isinstance(value, Tensor):
        return None if value.is_meta else value.detach()
    if isinstance(value, bool | int | float | complex | list | tuple):
        try:
            return torch.as_tensor(value)
        except (ValueError, TypeError, RuntimeError, OverflowError):
            return None
    return None


def _described(value: object, tensor: Tensor | None) -> dict[str, Any]:
    if tensor is None:
        return {"type": _text(type(value).__name__)}
    return {"shape": list(tensor.shape), "dtype": str(tensor.dtype).removeprefix("torch.")}


def _statistics(found: Difference) -> dict[str, Any]:
    error = found.error.reshape(-1)
    comparable = error[error.isfinite()]
    worst = int(error.argmax()) if error.numel() else None
    return {
        "count": error.numel(),
        "not_comparable": error.numel() - comparable.numel(),
        "exact": int((error == 0).sum()),
        "worst_index": None if worst is None else index_of(worst, found.error.shape),
        **_averages(comparable, found.scale),
    }


def _averages(error: Tensor, scale: float) -> dict[str, float | None]:
    if not error.numel():
        return dict.fromkeys(("max", "mean", "rms", "max_relative_to_scale"))
    largest = float(error.max())
    return {
        "max": _number(largest),
        "mean": _number(error.mean()),
        "rms": _number(error.square().mean().sqrt()),
        "max_relative_to_scale": _number(largest / scale) if scale else None,
    }


def _pictures(error: Tensor) -> dict[str, Any]:
    logs = error[(error > 0) & error.isfinite()].log10().floor().clamp(LOG_LOW, LOG_HIGH - 1)
    counts = torch.bincount((logs - LOG_LOW).long(), minlength=LOG_HIGH - LOG_LOW)
    cells = _matrix(error)
    # The largest error of each patch is shown, so that one wrong element in a million stays visible.
    shown = _rows(torch.nn.functional.adaptive_max_pool2d(cells[None], _sides(cells))[0]) if cells.numel() else []
    return {
        "histogram": {"low": LOG_LOW, "high": LOG_HIGH, "counts": counts.tolist()},
        "map": {"values": shown, "shape": list(cells.shape)},
    }


def _matrix(tensor: Tensor | None) -> Tensor:
    """Convert a tensor to a matrix (rows, columns) in float64. Leading dimensions are stacked as rows, and complex numbers are
    replaced by their absolute values.
    """
    if tensor is None or tensor.numel() == 0:
        return torch.zeros(0, 0, dtype=torch.float64)
    values = wide(tensor)
    values = values.abs() if values.dtype.is_complex else values
    return values.reshape(-1, values.shape[-1]) if values.dim() else values.reshape(1, 1)


def _sides(cells: Tensor) -> tuple[int, int]:
    return min(cells.shape[0], MAX_SIDE), min(cells.shape[1], MAX_SIDE)


def _rows(cells: Tensor) -> list[list[float | None]]:
    return [list(_numbers(row)) for row in cells]


def _line(name: str, values: Sequence[float] | Tensor) -> dict[str, Any]:
    tensor = _tensor(values if isinstance(values, Tensor) else list(values))
    numbers = _matrix(tensor).reshape(-1)
    length = numbers.numel()
    count = min(length, MAX_POINTS)
    kept = torch.linspace(0, max(length - 1, 0), count, dtype=torch.float64).round().long()
    return {"name": _text(name), "length": length, "x": kept.tolist(), "y": list(_numbers(numbers[kept]))}


def _numbers(values: Tensor) -> Iterator[float | None]:
    for value in values.tolist():
        yield _number(value)


def _norm(gradient: object) -> float | str | None:
    """Return the 2-norm of a gradient. Returns None if `gradient` is None, and a text such as "not finite" if the norm cannot
    be given as a number.
    """
    if gradient is None:
        return None
    tensor = _tensor(gradient)
    if tensor is None:
        return "no tensor"
    norm = _number(wide(tensor).norm())
    return "not finite" if norm is None else norm


def _number(value: float | Tensor) -> float | None:
    rounded = float(f"{float(value):.4g}")
    return rounded if math.isfinite(rounded) else None


def _text(text: str) -> str:
    return str(text)[:MAX_TEXT]
