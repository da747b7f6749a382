"""Editorials on inference: when a norm may be folded, and where the scales of int8 weights may live."""

import torch
from matplotlib.figure import Figure
from torch import nn

from challenges.pictures.style import (
    AMBER,
    COBALT,
    MARIGOLD,
    RED,
    SOFT,
    canvas,
    plot,
    ticks,
    write,
)

F64 = torch.float64


def foldable() -> Figure:
    """What one channel of a norm does to a number: in train mode that depends on the batch, in eval mode it is one line."""
    figure = canvas(560, 280)
    torch.manual_seed(0)
    norm = nn.BatchNorm1d(1, dtype=F64)
    nn.init.constant_(norm.weight, 1.5)
    nn.init.constant_(norm.bias, 0.4)
    ends = torch.tensor([[-2.0], [4.0]], dtype=F64)
    axes = plot(figure, 58, 54, 330, 196)
    for _ in range(60):
        batch = 1.0 + 1.3 * torch.randn(8, 1, dtype=F64)
        norm(batch)
        slope = norm.weight / (batch.var(unbiased=False) + norm.eps).sqrt()
        line = norm.bias + slope * (ends - batch.mean())
        axes.plot(ends[:, 0], line[:, 0].detach(), color=MARIGOLD, lw=0.7, alpha=0.55)
    axes.plot(ends[:, 0], norm.eval()(ends)[:, 0].detach(), color=COBALT, lw=3)
    axes.set(xlim=(-2, 4), ylim=(-6, 6), xlabel="out of the convolution", ylabel="out of the norm")
    ticks(axes, (-2, 0, 2, 4), (-5, 0, 5))
    write(axes, 4.15, 4.1, "eval(): one line.\nThis can be folded", color=COBALT, clip_on=False)
    write(axes, 4.15, 0.6, "train(): another one\nfor each of these\nsixty batches of 8", color=AMBER, clip_on=False)
    return figure


def scales() -> Figure:
    """The error of int8 levels in each row of a weight with one large number: one scale for all, and one for each row."""
    figure = canvas(560, 276)
    torch.manual_seed(1)
    weight = 0.05 * torch.randn(8, 64, dtype=F64)
    weight[5, 10] = 4.0
    axes = plot(figure, 62, 54, 330, 192)
    largest = weight.abs()
    ways = ((largest.amax(), -0.2, RED), (largest.amax(1, keepdim=True), 0.2, COBALT))
    for top, shift, color in ways:
        step = top / 127
        error = ((weight / step).round() * step - weight).square().mean(1).sqrt() / weight.square().mean(1).sqrt()
        axes.bar([row + shift for row in range(8)], (100 * error).tolist(), width=0.36, color=color)
    axes.set(yscale="log", xlim=(-0.6, 7.6), ylim=(0.2, 40), xlabel="row of the weight", ylabel="error, % of the row")
    axes.set_yticks([1, 10], ["1", "10"])
    ticks(axes, range(8))
    axes.grid(visible=False, axis="x")
    write(axes, 7.85, 16, "one scale for\nthe whole weight", color=RED, clip_on=False)
    write(axes, 7.85, 0.75, "one scale\nfor each row", color=COBALT, clip_on=False)
    write(axes, 7.85, 3.4, "row 5 holds the\nlarge number", color=SOFT, fontsize=11.5, clip_on=False)
    return figure


PICTURES = {
    "deployment/fold-conv-norm/foldable": foldable,
    "deployment/int8-linear/scales": scales,
}
