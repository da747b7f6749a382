"""Numbers: what a dtype can hold, what a grid of integers makes of weights, and what recomputing saves."""

import math

import torch
from matplotlib.figure import Figure
from torch import Tensor

from challenges.pictures.style import COBALT, MIST, RED, SOFT, canvas, heading, plot, ticks, write


def ranges() -> Figure:
    """The positive numbers of three dtypes on a logarithmic line: normal ones, and the subnormal tail."""
    figure = canvas(560, 262)
    axes = plot(figure, 82, 54, 446, 160)
    for i, dtype in enumerate((torch.float16, torch.bfloat16, torch.float32)):
        info = torch.finfo(dtype)
        smallest = info.smallest_normal * info.eps
        low, normal, high = (math.log10(n) for n in (smallest, info.smallest_normal, info.max))
        y = 2 - i
        axes.plot([low, normal], [y, y], color=MIST, lw=13, solid_capstyle="butt")
        axes.plot([normal, high], [y, y], color=COBALT, lw=13, solid_capstyle="butt")
        digits = -math.log10(info.eps)
        write(axes, -47.5, y, str(dtype).removeprefix("torch."), ha="right", clip_on=False)
        says = (
            f"ends at {info.max:.0f}, step at 1: {info.eps:.1e}"
            if dtype == torch.float16
            else f"ends at {info.max:.1e}, step at 1: {info.eps:.1e}"
        )
        write(
            axes,
            -46,
            y - 0.36,
            f"{says} ({digits:.1f} digits)".replace("e+", "e").replace("e-0", "e−"),
            color=SOFT,
            fontsize=11.5,
        )
    axes.set(xlim=(-47, 40), ylim=(-0.65, 2.4))
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_xticks([-40, -20, 0, 20, 38], ["10⁻⁴⁰", "10⁻²⁰", "1", "10²⁰", "10³⁸"])
    ticks(axes, None, ())
    figure.text(82 / 560, 22 / 262, "pale: subnormal numbers, with fewer and fewer digits", color=SOFT, fontsize=11.5)
    return figure


def quantized(x: Tensor, bits: int) -> tuple[Tensor, float]:
    """Symmetric rounding to integers and back, and the step."""
    top = 2 ** (bits - 1) - 1
    step = float(x.abs().max()) / top
    return (x / step).round().clamp(-top, top) * step, step


def grid() -> Figure:
    """The same sixty weights rounded to four bits: alone, and beside one that is ten times as large."""
    figure = canvas(560, 290)
    torch.manual_seed(0)
    weights = torch.randn(60, dtype=torch.float64).clamp(-2, 2).sort().values
    for i, (extra, title) in enumerate((([], "own scale"), ([12.0], "one of 12 beside them"))):
        axes = plot(figure, 58 + 262 * i, 72, 220, 168)
        rounded, step = quantized(torch.cat([weights, torch.tensor(extra, dtype=torch.float64)]), 4)
        error = float((rounded[:60] - weights).square().mean().sqrt() / weights.square().mean().sqrt())
        for level in range(-7, 8):
            if abs(level * step) < 2.5:
                axes.axhline(level * step, color=MIST, lw=0.9)
        axes.plot([-2.2, 2.2], [-2.2, 2.2], color=SOFT, lw=0.9, ls=(0, (4, 3)))
        axes.plot(weights, rounded[:60], "o", ms=4, color=RED if i else COBALT)
        axes.set(xlim=(-2.3, 2.3), ylim=(-2.3, 2.3), xlabel="weight", ylabel="" if i else "rounded")
        axes.grid(visible=False)
        ticks(axes, (-2, 0, 2), (-2, 0, 2))
        heading(axes, f"{title}: error {100 * error:.0f} %", RED if i else COBALT)
    figure.text(
        58 / 560,
        22 / 290,
        "lines: the fifteen numbers of the four-bit grid, those between −2.5 and 2.5",
        color=SOFT,
        fontsize=11.5,
    )
    return figure


def trade() -> Figure:
    """64 layers in checkpointed segments of k: the inputs of all segments, and the inside of the one recomputed."""
    figure = canvas(540, 296)
    axes = plot(figure, 58, 54, 450, 212)
    layers = 64
    segments = torch.tensor(list(range(1, 65)), dtype=torch.float64)
    axes.plot(segments, segments, color=MIST, lw=1.6)
    axes.plot(segments, layers / segments, color=MIST, lw=1.6)
    axes.plot(segments, segments + layers / segments, color=COBALT)
    axes.axhline(layers, color=RED, lw=1.4, ls=(0, (4, 3)))
    axes.plot(8, 16, "o", color=COBALT, ms=8)
    axes.set(xlim=(1, 64), ylim=(0, 72), xlabel="layers in a segment, k", ylabel="activations in memory")
    ticks(axes, (1, 8, 16, 32, 48, 64), (0, 16, 32, 64))
    write(axes, 63, 67.5, "without checkpoints: all 64, and no recomputing", color=RED, ha="right")
    write(axes, 13, 24.5, "64/k + k", color=COBALT, ha="right")
    write(axes, 17, 10.6, "least at k = √64: 16", color=COBALT)
    write(axes, 44, 39, "k inside the one recomputed", color=SOFT, ha="left", fontsize=11.5)
    write(axes, 40, 5, "64/k inputs of segments", color=SOFT, ha="left", fontsize=11.5)
    return figure


PICTURES = {
    "performance/mixed-precision-autocast/ranges": ranges,
    "performance/activation-checkpointing/trade": trade,
    "deployment/int8-quantization/grid": grid,
}
