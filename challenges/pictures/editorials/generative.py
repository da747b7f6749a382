"""Editorials on generative models: what a schedule leaves of an example, and what a reduction does to a code."""

import math

import torch
from matplotlib.figure import Figure

from challenges.pictures.style import AMBER, COBALT, MARIGOLD, RED, SOFT, canvas, plot, ticks, write

F64 = torch.float64


def schedule() -> Figure:
    """How much of an example and of the noise is left at each time of a cosine schedule of a hundred steps."""
    figure = canvas(560, 268)
    steps = 100
    time = torch.arange(steps + 1, dtype=F64) / steps
    f = torch.cos((time + 0.008) / 1.008 * math.pi / 2) ** 2
    betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
    abar = torch.cat([torch.ones(1, dtype=F64), (1 - betas).cumprod(0)])
    axes = plot(figure, 58, 54, 320, 184)
    axes.plot(abar.sqrt(), color=COBALT)
    axes.plot((1 - abar).sqrt(), color=MARIGOLD)
    axes.plot(abar.sqrt() ** 2 + (1 - abar), color=SOFT, lw=1.1, ls=(0, (4, 3)))
    axes.set(xlim=(0, steps), ylim=(0, 1.08), xlabel="time t", ylabel="factor")
    ticks(axes, (0, 25, 50, 75, 100), (0, 0.5, 1))
    write(
        axes,
        103,
        0.99,
        "dashed: the squares add\nup to 1, the variance stays",
        color=SOFT,
        fontsize=11.5,
        clip_on=False,
    )
    write(axes, 103, 0.66, "amber: of the noise", color=AMBER, fontsize=11.5, clip_on=False)
    write(axes, 103, 0.4, "blue: of the example", color=COBALT, fontsize=11.5, clip_on=False)
    write(
        axes,
        103,
        0.14,
        f"at the end {abar[-1].sqrt():.0e}, not 0".replace("e-0", "·10⁻")
        .replace("⁻4", "⁻⁴")
        .replace("⁻3", "⁻³")
        .replace("⁻5", "⁻⁵"),
        color=COBALT,
        fontsize=11.5,
        clip_on=False,
    )
    return figure


def reductions() -> Figure:
    """The loss of one example over the variance of its code: with a summed reconstruction, and with its mean over 64 pixels."""
    figure = canvas(560, 276)
    torch.manual_seed(0)
    pixels = 64
    w = 0.5 * torch.randn(pixels, dtype=F64)
    log_var = torch.linspace(-6, 2, 321, dtype=F64)
    var = log_var.exp()
    divergence = 0.5 * (var - 1 - log_var)
    spread = 0.5 * w.square().sum() * var  # what the variance adds to the expected squared error, halved
    axes = plot(figure, 58, 54, 300, 190)
    for color, part in ((COBALT, spread), (RED, spread / pixels)):
        loss = divergence + part
        loss = loss - loss.min()
        axes.plot(log_var, loss, color=color)
        axes.plot(log_var[loss.argmin()], 0, "o", color=color, ms=7, clip_on=False, zorder=7)
    exact = -torch.log(1 + w.square().sum())
    axes.axvline(float(exact), color=COBALT, lw=1.0, ls=(0, (4, 3)))
    axes.set(xlim=(-6, 2), ylim=(0, 2.6), xlabel="log σ² of the code", ylabel="loss above its minimum")
    ticks(axes, (-6, -4, -2, 0, 2), (0, 1, 2))
    write(
        axes,
        2.2,
        2.2,
        "blue: sums. The best\nvariance is that of the\nposterior (dashed)",
        color=COBALT,
        fontsize=11.5,
        clip_on=False,
    )
    write(
        axes,
        2.2,
        0.9,
        "red: a mean over pixels.\nThe best code is nearly\nthe prior, which says\nnothing about x",
        color=RED,
        fontsize=11.5,
        clip_on=False,
    )
    return figure


PICTURES = {
    "generative/diffusion-ddpm-ddim/schedule": schedule,
    "generative/variational-autoencoder/reductions": reductions,
}
