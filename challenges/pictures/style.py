"""How all pictures look: the client's colours on a light panel, legible on both of its grounds, measured in pixels."""

import re
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.transforms import IdentityTransform

Draw = Callable[[], Figure]

INK, SOFT, LINE, PANEL = "#1d1b18", "#5f5a52", "#d9d3c7", "#fffdf9"
COBALT, SKY, MIST, HAZE = "#2a4ab8", "#6786ea", "#b4c4f5", "#e6ecfd"
MARIGOLD, AMBER, SAND = "#f59e0b", "#9a5b00", "#ffe2b0"
GREEN, LEAF = "#1f7a37", "#d7ecd9"
RED, ROSE = "#b3261e", "#f6d5d1"

NUMBER = re.compile(r"-?\d+(\.\d+)?")
FONTS = "'IBM Plex Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif"
RULES: Any = {
    "font.family": [
        "DejaVu Sans"
    ],  # comes with matplotlib: the same measures everywhere; the browser puts FONTS in its place
    "font.size": 12.5,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": SOFT,
    "axes.labelsize": 12.5,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": "#ece7dd",
    "grid.linewidth": 0.8,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelsize": 11.5,
    "ytick.labelsize": 11.5,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 2.2,
    "lines.solid_capstyle": "round",
    "svg.fonttype": "none",
    "svg.hashsalt": "gradus",
    "path.simplify": True,
}


def canvas(width: int = 540, height: int = 300) -> Figure:
    """An empty panel of this size, in pixels."""
    figure = Figure(figsize=(width / 72, height / 72), dpi=72)
    figure.patch.set_alpha(0.0)
    panel = FancyBboxPatch(
        (6, 6),
        width - 12,
        height - 12,
        boxstyle="round,pad=5",
        fc=PANEL,
        ec=LINE,
        lw=1,
        transform=IdentityTransform(),
        zorder=-1,
    )
    figure.add_artist(panel)
    return figure


def plot(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at this place of the panel, in pixels from its lower left corner."""
    w, h = figure.get_size_inches() * 72
    axes = figure.add_axes((left / w, bottom / h, width / w, height / h))
    axes.set_facecolor("none")
    return axes


def board(figure: Figure) -> Axes:
    """The whole panel as a drawing board: pixels, (0, 0) in the upper left corner."""
    width, height = figure.get_size_inches() * 72
    axes = plot(figure, 0, 0, width, height)
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return axes


def write(axes: Axes, x: float, y: float, text: str, **how: object) -> None:
    """Text at a place of the data; centred on its line unless told otherwise."""
    settings: dict[str, object] = {"va": "center", "color": INK, "zorder": 6} | how
    axes.text(x, y, text, **settings)  # type: ignore[arg-type]


def heading(axes: Axes, text: str, color: str = INK) -> None:
    """What these axes show, above them."""
    axes.set_title(text, fontsize=12.5, color=color, loc="left", pad=9)


def cells(
    axes: Axes,
    at: tuple[float, float],
    rows: Sequence[Sequence[object]],
    fills: Sequence[Sequence[str]],
    size: int = 30,
) -> None:
    """A grid of squares, each with its value and its fill; `at` is the upper left corner."""
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            x, y = at[0] + j * size, at[1] + i * size
            axes.add_patch(Rectangle((x, y), size, size, fc=fills[i][j], ec="#a9a294", lw=0.8))
            if value != "":
                dark = fills[i][j] in (COBALT, AMBER, SKY)
                write(axes, x + size / 2, y + size / 2, str(value), ha="center", color="#ffffff" if dark else INK)


def arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], color: str = SOFT, **how: object) -> None:
    """An arrow between two places of the data."""
    shape = {"arrowstyle": "-|>", "color": color, "lw": 1.6, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 11} | how
    axes.annotate("", xy=end, xytext=start, arrowprops=shape, zorder=5)


def ticks(axes: Axes, x: Iterable[float] | None = None, y: Iterable[float] | None = None) -> None:
    """Put the ticks here and nowhere else."""
    for axis, places in ((axes.xaxis, x), (axes.yaxis, y)):
        if places is not None:
            values = list(places)
            axis.set_ticks(values, [f"{value:g}".replace("-", "−") for value in values])


def svg(draw: Draw) -> str:
    """The picture as a file: without dates, with short numbers, and with the fonts of a browser."""
    with rc_context(RULES):
        file = BytesIO()
        draw().savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = file.getvalue().decode()
    text = re.sub(r"<\?xml.*?<svg", "<svg", text, count=1, flags=re.DOTALL)
    text = re.sub(r'(<svg [^>]*?)width="(\d+)pt"', r'\1width="\2"', text).replace('pt" viewBox', '" viewBox')
    text = re.sub(r'(height="\d+)pt"', r'\1"', text, count=1)
    text = text.replace("'DejaVu Sans'", FONTS)
    return re.sub(r"<[^>]+>", lambda tag: re.sub(r"-?\d+\.\d{3,}", short, tag[0]), text)


def alike(one: str, other: str) -> bool:
    """Whether two files show the same picture: other processors round the last digits of the data otherwise."""
    if NUMBER.sub("0", one) != NUMBER.sub("0", other):
        return False
    pairs = zip(NUMBER.finditer(one), NUMBER.finditer(other), strict=True)
    return all(abs(float(a[0]) - float(b[0])) <= 0.5 for a, b in pairs)


def short(number: re.Match[str]) -> str:
    """A coordinate, to a hundredth of a pixel."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
