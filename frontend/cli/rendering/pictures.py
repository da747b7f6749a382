"""Draws exhibits, the charts of a test's result, in the terminal. These are the kinds:

    difference  errors as lines of text, and a map that shows where they are
    heatmap     a matrix of coloured squares
    curve       braille dots
    gradients   one line of text per gradient norm
    operators   a list of names

With colours, a large matrix is drawn with two rows per line of text, because the character ▀ can have two colours. Without
colours, matrices are drawn with shades, and each curve is a line of block characters.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec
from rich.color import Color
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.text import Text

from frontend.cli import clean
from frontend.cli.rendering.curves import Series, curves
from frontend.cli.service.records import Exhibit, Record

Number = float | None
MAX_ROWS = 20
SHADES = " ░▒▓█"
# RGB colours, the same as on the site. COBALT is the smallest value, MARIGOLD is the largest one, and NOT_FINITE stands for NaN
# and infinities.
COBALT, MARIGOLD, NOT_FINITE = (24, 38, 110), (255, 190, 40), (220, 60, 200)


class Described(Record, frozen=True):
    """Describes one side of a comparison: a tensor by shape and dtype, another object by its type."""

    type: str = ""
    shape: list[int] | None = None
    dtype: str = ""

    def __str__(self) -> str:
        if self.shape is None:
            return clean.line(self.type) or "?"
        return f"{clean.line(self.dtype)} ({', '.join(map(str, self.shape))})"


class Matrix(Record, frozen=True):
    """A matrix that the grader has already reduced to at most 64 x 64. `shape` is the shape of the original matrix."""

    values: list[list[Number]]
    shape: tuple[int, ...] = ()


class Difference(Record, frozen=True):
    """How much the answer's result differs from the expected one."""

    actual: Described
    expected: Described
    comparable: bool
    count: int = 0
    exact: int = 0
    not_comparable: int = 0
    worst_index: list[int] | None = None
    max: Number = None
    mean: Number = None
    map: Matrix | None = None


class Norm(Record, frozen=True):
    """The norm of one gradient: a number, None if there is no gradient, or a text such as "not finite"."""

    name: str
    actual: float | str | None
    expected: float | str | None


class Norms(Record, frozen=True):
    """Norms of named gradients. If `compared` is set, the expected norms are shown too."""

    rows: list[Norm]
    compared: bool = False
    left_out: int = 0


class Operator(Record, frozen=True):
    """An operator that ran, and how often."""

    name: str
    count: int


class Operators(Record, frozen=True):
    """The operators that ran inside the cell, most frequent first."""

    rows: list[Operator]
    left_out: int = 0


class Curves(Record, frozen=True):
    """Several curves over the same horizontal axis."""

    series: list[Series]
    x_label: str = ""
    y_label: str = ""


def picture(exhibit: Exhibit, console: Console) -> RenderableType:
    """Draws an exhibit with its title, no wider than the console."""
    parts: list[RenderableType] = [Text(clean.line(exhibit.title), style="key")]
    try:
        if exhibit.kind == "difference":
            parts += _difference(msgspec.convert(exhibit.data, Difference), console)
        elif exhibit.kind == "heatmap":
            parts += _matrix(msgspec.convert(exhibit.data, Matrix), "values", console)
        elif exhibit.kind == "curve":
            found = msgspec.convert(exhibit.data, Curves)
            parts += curves(found.series, (found.x_label, found.y_label), console)
        elif exhibit.kind == "gradients":
            parts += _norms(msgspec.convert(exhibit.data, Norms))
        elif exhibit.kind == "operators":
            parts += _operators(msgspec.convert(exhibit.data, Operators))
        else:
            parts.append(Text("This program does not support this kind of picture. The page shows it.", style="quiet"))
    except msgspec.ValidationError:
        parts.append(Text("This program cannot read this picture. The page shows it.", style="quiet"))
    return Group(*parts)


def _difference(data: Difference, console: Console) -> Iterator[RenderableType]:
    wrong = not data.comparable
    yield _fact("yours", str(data.actual), "bad" if wrong or data.actual.dtype != data.expected.dtype else "")
    yield _fact("expected", str(data.expected))
    if wrong:
        return
    at = f" at [{', '.join(map(str, data.worst_index))}]" if data.worst_index else ""
    yield _fact("largest error", f"{number(data.max)}{at}", "bad" if data.max else "")
    yield _fact("mean error", number(data.mean))
    yield _fact("exact", f"{data.exact} of {data.count}")
    if data.not_comparable:
        yield _fact("not finite", f"{data.not_comparable} of {data.count}", "bad")
    if data.map and data.map.values and data.max != 0:
        yield from _matrix(data.map, "error by place", console)


def _fact(name: str, value: str, style: str = "") -> Text:
    return Text(f"{name:<14}", style="quiet").append(value, style=style or "default")


def _norms(data: Norms) -> Iterator[RenderableType]:
    width = max((len(clean.line(row.name)) for row in data.rows), default=0)
    for row in data.rows:
        line = Text(f"{clean.line(row.name):<{width}}  ", style="quiet")
        line.append(f"{_norm(row.actual):>10}", style="bad" if data.compared and not _agree(row) else "default")
        yield line.append(f"  expected {_norm(row.expected)}", style="quiet") if data.compared else line
    yield from _more(data.left_out)


def _norm(value: float | str | None) -> str:
    return "none" if value is None else clean.line(value) if isinstance(value, str) else f"{value:.3g}"


def _agree(row: Norm) -> bool:
    if isinstance(row.actual, float) and isinstance(row.expected, float):
        return math.isclose(row.actual, row.expected, rel_tol=1e-3)
    return row.actual == row.expected


def _operators(data: Operators) -> Iterator[RenderableType]:
    names = [f"{clean.line(row.name)}{f' × {row.count}' if row.count > 1 else ''}" for row in data.rows]
    yield Text(", ".join(names) or "none was seen", style="quiet")
    yield from _more(data.left_out)


def _more(left_out: int) -> Iterator[Text]:
    if left_out:
        yield Text(f"and {left_out} more", style="quiet")


def number(value: Number) -> str:
    """Formats a number with three significant digits. None stands for NaN or an infinity, which JSON cannot represent."""
    return "not finite" if value is None else f"{value:.3g}"


def _matrix(matrix: Matrix, label: str, console: Console) -> Iterator[RenderableType]:
    coloured = console.color_system is not None
    columns = max((len(row) for row in matrix.values), default=0)
    if not columns:
        return
    known = [value for row in matrix.values for value in row if value is not None]
    low, high = min([*known, 0.0]), max([*known, 0.0])
    squares: Callable[..., Iterator[Text]]
    if len(matrix.values) <= MAX_ROWS and columns * 2 <= console.width:
        rows, squares = matrix.values, partial(_squares, cell="  ")
    elif coloured:
        rows, squares = _pooled(matrix.values, MAX_ROWS * 2, console.width), _half_squares
    else:
        rows, squares = _pooled(matrix.values, MAX_ROWS, console.width), partial(_squares, cell=" ")
    yield from squares([[_level(value, low, high) for value in row] for row in rows], coloured=coloured)
    size = " × ".join(map(str, matrix.shape))
    yield Text(f"{label}, {size}: ", style="quiet").append_text(_scale(low, high, coloured=coloured))
    if any(None in row for row in matrix.values):
        mark = Text("  ", style=Style(bgcolor=_colour(None))) if coloured else Text("×")
        yield mark.append(" not finite", style="not bold default on default")


def _level(value: Number, low: float, high: float) -> Number:
    """Scales a value to a number from 0 to 1: `low` becomes 0, and `high` becomes 1."""
    return None if value is None else (value - low) / ((high - low) or 1.0)


def _pooled(rows: Sequence[Sequence[Number]], height: int, width: int) -> list[list[Number]]:
    """Reduces a matrix to at most `height` x `width`. Each value of the result is the largest one of a patch of the matrix, so
    that a single wrong element stays visible.
    """
    across = _slices(max(len(row) for row in rows), width)
    bands = [rows[part] for part in _slices(len(rows), height)]
    return [[_largest([value for row in band for value in row[part]]) for part in across] for band in bands]


def _slices(length: int, count: int) -> list[slice]:
    count = min(count, length)
    return [slice(length * at // count, length * (at + 1) // count) for at in range(count)]


def _largest(patch: list[Number]) -> Number:
    return None if None in patch else max((value for value in patch if value is not None), default=None)


def _colour(level: Number) -> Color:
    if level is None:
        return Color.from_rgb(*NOT_FINITE)
    return Color.from_rgb(*(a + (b - a) * level for a, b in zip(COBALT, MARIGOLD, strict=True)))


def _squares(rows: list[list[Number]], *, coloured: bool, cell: str) -> Iterator[Text]:
    for row in rows:
        text = Text(no_wrap=True)
        for level in row:
            if coloured:
                text.append(cell, style=Style(bgcolor=_colour(level)))
            else:
                text.append(_shade(level) * len(cell))
        yield text


def _shade(level: Number) -> str:
    if level is None:
        return "×"
    # Every level above 0 gets at least the lightest shade, so that it is visible.
    return SHADES[min(len(SHADES) - 1, int(level * (len(SHADES) - 1)) + (0 < level < 1))]


def _half_squares(rows: list[list[Number]], *, coloured: bool) -> Iterator[Text]:
    for upper, lower in zip(rows[::2], [*rows[1::2], []], strict=False):
        text = Text(no_wrap=True)
        for at, level in enumerate(upper):
            below = _colour(lower[at]) if at < len(lower) else None
            text.append("▀", style=Style(color=_colour(level), bgcolor=below))
        yield text


def _scale(low: float, high: float, *, coloured: bool) -> Text:
    text = Text(f"{number(low)} ", style="quiet")
    for step in range(10):
        level = step / 9
        text.append(" " if coloured else _shade(level), style=Style(bgcolor=_colour(level)) if coloured else "")
    return text.append(f" {number(high)}", style="quiet")
