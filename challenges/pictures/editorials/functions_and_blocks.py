"""Editorials on functions and blocks: levels of a small float, slopes at joints, a margin, a residual stream, and a decay."""

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch
from torch import Tensor

from challenges.pictures.style import (
    AMBER,
    COBALT,
    GREEN,
    HAZE,
    INK,
    MIST,
    PANEL,
    RED,
    SAND,
    SOFT,
    arrow,
    board,
    canvas,
    cells,
    heading,
    plot,
    ticks,
    write,
)


def levels() -> Figure:
    """The eight magnitudes of a four-bit float, and the level that each middle between two of them belongs to."""
    figure = canvas(560, 200)
    axes = board(figure)
    values = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    left, scale, y = 44, 78, 82
    axes.plot([left, left + 6 * scale], [y, y], color=SOFT, lw=1)
    for code, value in enumerate(values.tolist()):
        x = left + scale * value
        axes.plot([x, x], [y - 11, y + 11], color=INK, lw=2.2)
        write(axes, x, y - 26, str(code), ha="center", color=COBALT if code % 2 == 0 else AMBER)
        write(axes, x, y + 26, f"{value:g}", ha="center", fontsize=11.5)
    for code, middle in enumerate(((values[1:] + values[:-1]) / 2).tolist()):
        x, up = left + scale * middle, code % 2 == 1
        far = min(scale * float(values[code + 1] - values[code]) / 2 - 4, 26)
        axes.plot([x], [y], "o", ms=5, color=SOFT, zorder=6)
        arrow(axes, (x, y), (x + far if up else x - far, y), COBALT, mutation_scale=9)
    write(axes, left - 8, 30, "codes", color=SOFT, fontsize=11.5)
    write(axes, left - 8, 134, "magnitudes", color=SOFT, fontsize=11.5)
    says = "A middle goes to the neighbour with the even code (blue): three go up, four go down."
    write(axes, left - 8, 168, says, color=COBALT, fontsize=11.5)
    return figure


def joints() -> Figure:
    """Softplus, ELU with alpha 1.5 and hard swish: their values, and slopes that jump where two pieces meet."""
    figure = canvas(560, 296)
    x = torch.linspace(-5, 5, 1001, dtype=torch.float64)

    def elu(x: Tensor) -> Tensor:
        return F.elu(x, 1.5)

    shown = (("softplus", F.softplus, COBALT), ("elu, α = 1.5", elu, AMBER), ("hard swish", F.hardswish, GREEN))
    value, slope = plot(figure, 46, 64, 222, 184), plot(figure, 316, 64, 222, 184)
    for name, f, color in shown:
        leaf = x.clone().requires_grad_()
        y = f(leaf)
        (steep,) = torch.autograd.grad(y.sum(), leaf)
        steep[1:-1][(steep[2:] - steep[:-2]).abs() > 0.3] = torch.nan  # a gap where the slope jumps
        value.plot(x, y.detach(), color=color, label=name)
        slope.plot(x, steep, color=color)
    slope.plot([0, 3, -3], [1.5, 1, 0], "o", ms=6, color=INK, zorder=7)
    value.set(xlim=(-5, 5), ylim=(-2, 5))
    slope.set(xlim=(-5, 5), ylim=(-0.7, 1.7))
    ticks(value, (-5, -3, 0, 3, 5), (-2, 0, 2, 4))
    ticks(slope, (-5, -3, 0, 3, 5), (-0.5, 0, 0.5, 1, 1.5))
    heading(value, "values")
    heading(slope, "slopes")
    value.legend(frameon=False, fontsize=11.5, loc="upper left", handlelength=1.2, borderaxespad=0.2)
    says = "dots: the slope that the statement asks for where the slopes of two pieces differ"
    figure.text(46 / 560, 22 / 296, says, color=SOFT, fontsize=11.5)
    return figure


def margin() -> Figure:
    """An anchor, its positive, and three negatives: inside the positive's circle, within the margin, and beyond it."""
    figure = canvas(560, 300)
    axes = plot(figure, 14, 14, 272, 272)
    anchor, positive = torch.zeros(2), torch.tensor([-0.85, 0.53])
    near = float((anchor - positive).norm())
    for radius, style in ((near, "-"), (near + 1.0, "--")):
        axes.add_patch(Circle((0, 0), radius, fc="none", ec=SOFT, lw=1.2, ls=style))
    axes.add_patch(Circle((0, 0), near + 1.0, fc=HAZE, ec="none", zorder=0))
    negatives = (([0.5, 0.45], RED), ([0.9, -1.1], AMBER), ([1.75, 1.5], GREEN))
    axes.plot(*anchor, "o", ms=8, color=INK)
    axes.plot(*positive, "o", ms=8, color=COBALT)
    write(axes, 0.1, -0.16, "a", fontsize=12.5)
    write(axes, -1.02, 0.72, "p", color=COBALT, fontsize=12.5)
    lines = []
    for n, (place, color) in enumerate(negatives, start=1):
        negative = torch.tensor(place)
        loss = near - float((anchor - negative).norm()) + 1.0
        axes.plot(*place, "o", ms=8, color=color)
        write(axes, place[0] + 0.14, place[1] - 0.14, f"n{n}", color=color, fontsize=12.5)
        lines.append((n, color, max(loss, 0.0)))
    axes.set(xlim=(-2.4, 2.4), ylim=(-2.4, 2.4), aspect="equal")
    axes.axis("off")
    texts = board(figure)
    write(texts, 312, 62, "solid: as far from a as p is", color=SOFT, fontsize=11.5)
    write(texts, 312, 84, "dashed: farther by the margin of 1", color=SOFT, fontsize=11.5)
    meanings = (
        "nearer than p",
        "farther than p,\nbut within the margin",
        "beyond the margin:\nno loss and no gradient",
    )
    y = 122
    for (n, color, loss), meaning in zip(lines, meanings, strict=True):
        write(texts, 312, y, f"n{n}: loss {loss:.2f}", color=color)
        write(texts, 400, y - 7, meaning, color=SOFT, fontsize=11.5, va="top")
        y += 48
    return figure


def stream() -> Figure:
    """The residual stream of a Llama block from left to right, and the two branches that read a normed copy and add to it."""
    figure = canvas(560, 250)
    axes = board(figure)
    y, top = 196, 84

    def box(x: float, width: float, says: str, fill: str) -> None:
        shape = FancyBboxPatch((x, top - 30), width, 60, boxstyle="round,pad=0,rounding_size=6", fc=fill, ec=SOFT, lw=1)
        axes.add_patch(shape)
        write(axes, x + width / 2, top, says, ha="center", fontsize=11.5)

    axes.plot([30, 520], [y, y], color=INK, lw=2.4)
    arrow(axes, (510, y), (532, y), INK, lw=2.4)
    branches = (
        (52, "input_\nlayernorm", "q, k: rotate\nattention\no_proj"),
        (280, "post_attention_\nlayernorm", "silu(gate) · up\ndown_proj"),
    )
    for x, norm, branch in branches:
        wide = 66 if x < 100 else 104
        box(x, wide, norm, HAZE)
        box(x + wide + 16, 98, branch, SAND)
        foot = x + wide / 2
        arrow(axes, (foot, y), (foot, top + 32), COBALT)
        arrow(axes, (x + wide, top), (x + wide + 15, top), SOFT)
        side = x + wide + 16 + 49
        arrow(axes, (side, top + 30), (side, y - 12), AMBER)
        axes.add_patch(Circle((side, y), 11, fc=PANEL, ec=INK, lw=1.4, zorder=6))
        write(axes, side, y, "+", ha="center", zorder=7)
    write(axes, 34, y + 18, "x", fontsize=12.5)
    write(axes, 262, y + 18, "h", fontsize=12.5)
    write(axes, 518, y + 18, "y", fontsize=12.5)
    write(
        axes,
        30,
        34,
        "blue: a branch reads a normed copy; amber: it adds its result to the stream",
        color=SOFT,
        fontsize=11.5,
    )
    return figure


def borders() -> Figure:
    """The exponents t − s of the decay for two chunks of three tokens, and how the state splits those between the chunks."""
    figure = canvas(560, 320)
    axes = board(figure)
    c, size, left, top = 3, 36, 78, 66
    place = torch.arange(2 * c)
    distance = (place[:, None] - place).tolist()
    values = [[d if d >= 0 else "" for d in row] for row in distance]
    fills = [
        [PANEL if d < 0 else SAND if t >= c > s else MIST for s, d in enumerate(row)] for t, row in enumerate(distance)
    ]
    cells(axes, (left, top), values, fills, size)
    for n in range(0, 2 * c + 1, c):
        axes.plot([left, left + 2 * c * size], [top + n * size] * 2, color=SOFT, lw=1.6, zorder=7)
        axes.plot([left + n * size] * 2, [top, top + 2 * c * size], color=SOFT, lw=1.6, zorder=7)
    write(axes, left, top - 18, "key s →", color=SOFT, fontsize=11.5)
    write(axes, left - 10, top + 14, "query t", color=SOFT, fontsize=11.5, ha="right")
    for j in range(c):
        write(axes, left + (j + 0.5) * size, top + 2 * c * size + 16, str(c - 1 - j), ha="center", color=AMBER)
        write(axes, left - 16, top + (c + j + 0.5) * size, str(j + 1), ha="center", color=AMBER)
    notes = (
        (78, COBALT, "blue: between two tokens of a chunk"),
        (
            112,
            AMBER,
            "amber: through the state. Token j\nenters it with the exponent c − 1 − j\n"
            "(below), and token i reads it with\ni + 1 (on the left)",
        ),
        (198, INK, "An amber cell is the sum of its two\nexponents, for example 1 + 2 = 3."),
    )
    for y, color, says in notes:
        write(axes, 316, y, says, color=color, fontsize=11.5, va="top")
    return figure


PICTURES = {
    "deployment/mx-block-formats/levels": levels,
    "layers/bends-and-ramps/joints": joints,
    "losses/lengths-and-margins/margin": margin,
    "architectures/llama-block/stream": stream,
    "architectures/decaying-attention/borders": borders,
}
