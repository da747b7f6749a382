"""Draws curves with braille characters, which have 2 x 4 dots each. Without colours, draws each curve with block characters."""

from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from frontend.cli import clean
from frontend.cli.service.records import Record

Number = float | None
COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan", "white", "bright_black")
BLOCKS = "▁▂▃▄▅▆▇█"
# The bit of each dot in the code of a braille character, by the dot's row and column.
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
WIDEST, HEIGHT = 64, 8


class Series(Record, frozen=True):
    """One curve: the values `y` at the steps `x`. A value of None is a gap."""

    name: str
    x: list[int]
    y: list[Number]


def curves(series: list[Series], labels: tuple[str, str], console: Console) -> Iterator[RenderableType]:
    """Draws all curves on the same scale, and below them a line with the ranges of both axes. With colours, adds a legend."""
    known = [value for each in series for value in each.y if value is not None]
    if not known:
        yield Text("No value is finite.", style="quiet")
        return
    low, high, last = min(known), max(known), max(max(each.x, default=0) for each in series)
    width = max(8, min(WIDEST, console.width - 12))
    if console.color_system is None:
        yield from (_blocks(each, (low, high, last), width) for each in series)
    else:
        yield from _plot(series, (low, high, last), width)
        yield _legend(series)
    x_label, y_label = (clean.line(label) for label in labels)
    yield Text(
        f"{y_label or 'values'} from {low:.3g} to {high:.3g} over {x_label or 'steps'} 0 to {last}", style="quiet"
    )


def _plot(series: list[Series], scale: tuple[float, float, int], width: int) -> Iterator[Text]:
    bits = [[0] * width for _ in range(HEIGHT)]
    owner = [[0] * width for _ in range(HEIGHT)]
    for index, each in enumerate(series):
        for column, row in _dots(each, scale, width):
            bits[row // 4][column // 2] |= DOTS[row % 4][column % 2]
            owner[row // 4][column // 2] = index
    low, high, _ = scale
    for line in range(HEIGHT):
        edge = {0: f"{high:.3g}", HEIGHT - 1: f"{low:.3g}"}.get(line, "")
        text = Text(f"{edge:>9} ", style="quiet", no_wrap=True)
        for bit, index in zip(bits[line], owner[line], strict=True):
            text.append(chr(0x2800 + bit), style=COLOURS[index % len(COLOURS)])
        yield text


def _dots(series: Series, scale: tuple[float, float, int], width: int) -> Iterator[tuple[int, int]]:
    """Yields the positions of the curve's dots. Neighbouring points are connected, except across gaps."""
    before: tuple[int, int] | None = None
    for x, y in zip(series.x, series.y, strict=False):
        here = None if y is None else _place(x, y, scale, width)
        if here is not None:
            yield from _joined(before, here) if before is not None else [here]
        before = here


def _place(x: int, y: float, scale: tuple[float, float, int], width: int) -> tuple[int, int]:
    low, high, last = scale
    column = round((width * 2 - 1) * x / (last or 1))
    row = round((HEIGHT * 4 - 1) * (high - y) / ((high - low) or 1.0))
    return min(max(column, 0), width * 2 - 1), row


def _joined(one: tuple[int, int], other: tuple[int, int]) -> Iterator[tuple[int, int]]:
    steps = max(abs(other[0] - one[0]), abs(other[1] - one[1]), 1)
    for step in range(steps + 1):
        yield round(one[0] + (other[0] - one[0]) * step / steps), round(one[1] + (other[1] - one[1]) * step / steps)


def _legend(series: list[Series]) -> Text:
    text = Text(" " * 10)
    for index, each in enumerate(series):
        text.append("━━ ", style=COLOURS[index % len(COLOURS)]).append(f"{clean.line(each.name)}   ")
    return text


def _blocks(series: Series, scale: tuple[float, float, int], width: int) -> Text:
    low, high, _ = scale
    line = "".join(
        "×" if value is None else BLOCKS[round((len(BLOCKS) - 1) * (value - low) / ((high - low) or 1.0))]
        for value in _thinned(series.y, width)
    )
    return Text(f"{clean.line(series.name)[:10]:<11}{line}", no_wrap=True)


def _thinned(values: Sequence[Number], count: int) -> list[Number]:
    if len(values) <= count:
        return list(values)
    return [values[round(at * (len(values) - 1) / (count - 1))] for at in range(count)]
