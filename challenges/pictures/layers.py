"""Layers: where a convolution's window stands, and where a softmax without a shift breaks."""

import torch
import torch.nn.functional as F
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from challenges.pictures.style import (
    COBALT,
    LINE,
    MIST,
    PANEL,
    RED,
    ROSE,
    SAND,
    SOFT,
    board,
    canvas,
    plot,
    ticks,
    write,
)


def window(axes: Axes, left: float, above: float, title: str, **how: int) -> None:
    """A 3 x 3 kernel over a 5 x 5 input: all places of its first window, and a dot on the centre of each other one."""
    padding, stride, dilation = how.get("padding", 0), how.get("stride", 1), how.get("dilation", 1)
    size, top = 22, above + 44
    x = torch.zeros(1, 1, 5, 5)
    out = F.conv2d(x, torch.ones(1, 1, 3, 3), padding=padding, stride=stride, dilation=dilation).shape[-1]
    origin = left + (padding == 0) * size, top + (padding == 0) * size
    for i in range(5 + 2 * padding):
        for j in range(5 + 2 * padding):
            inside = padding <= i < 5 + padding and padding <= j < 5 + padding
            read = all(n % dilation == 0 and n <= 2 * dilation for n in (i, j))
            fill = MIST if read and inside else "#dfe5f8" if read else SAND if inside else PANEL
            place = origin[0] + j * size, origin[1] + i * size
            axes.add_patch(Rectangle(place, size, size, fc=fill, ec="#a9a294" if inside else LINE, lw=0.8))
    for i in range(out):
        for j in range(out):
            centre = [
                origin[0] + (j * stride + dilation + 0.5) * size,
                origin[1] + (i * stride + dilation + 0.5) * size,
            ]
            axes.plot(*centre, "o", ms=5.5, color=COBALT)
    write(axes, left, above, title, weight="bold")
    write(axes, left, above + 20, f"output {out} × {out}", color=COBALT)


def windows() -> Figure:
    """The first window (blue) and the centres of all (dots), for four settings."""
    figure = canvas(430, 522)
    axes = board(figure)
    settings: tuple[dict[str, int], ...] = (
        {},
        {"padding": 1},
        {"padding": 1, "stride": 2},
        {"padding": 1, "dilation": 2},
    )
    titles = ("plain", "padding 1", "padding 1, stride 2", "padding 1, dilation 2")
    for i, (title, how) in enumerate(zip(titles, settings, strict=True)):
        window(axes, 30 + 206 * (i % 2), 34 + 222 * (i // 2), title, **how)
    write(axes, 30, 472, "blue: what the first window reads of a 5 × 5 input (yellow)", color=SOFT, fontsize=11.5)
    write(axes, 30, 490, "dots: the centres of all windows", color=SOFT, fontsize=11.5)
    return figure


def overflow() -> Figure:
    """The larger of the weights of (z, z - 1), by exp(z) / sum(exp(z)) as it is written, in float32."""
    figure = canvas(540, 290)
    axes = plot(figure, 70, 54, 440, 186)
    z = torch.linspace(-125, 125, 2501)
    pair = torch.stack([z, z - 1], -1)
    naive = pair.exp() / pair.exp().sum(-1, keepdim=True)
    right = pair.softmax(-1)
    broken = naive[:, 0].isnan()
    low, high = float(z[~broken][0]), float(z[~broken][-1])
    axes.axvspan(-125, low, color=ROSE, lw=0)
    axes.axvspan(high, 125, color=ROSE, lw=0)
    axes.plot(z, right[:, 0], color=MIST, lw=7)
    axes.plot(z, naive[:, 0], color=COBALT, lw=1.8)
    axes.set(xlim=(-125, 125), ylim=(0, 1.08), xlabel="z", ylabel="weight of z beside z − 1")
    ticks(axes, (-100, -50, 0, 50, 100), (0, 0.5, 0.731, 1))
    write(axes, -120, 0.9, "0 / 0", color=RED, weight="bold")
    write(axes, 92, 0.9, "∞ / ∞", color=RED, weight="bold")
    write(axes, 0, 0.83, "torch.softmax: 0.731 for every z", ha="center", color=SOFT)
    write(axes, 0, 0.6, "exp(z) / Σ exp(z), float32", ha="center", color=COBALT)
    figure.text(
        0.055, 0.88, f"finite for −{-low:.0f} ≤ z ≤ {high:.1f}; inexact before it fails on the left", color=SOFT
    )
    return figure


PICTURES = {
    "layers/conv2d-shapes-and-maths/windows": windows,
    "layers/stable-softmax/overflow": overflow,
}
