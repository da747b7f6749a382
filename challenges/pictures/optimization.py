"""Optimisation: steps, rates and directions."""

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from torch import nn

from challenges.pictures.style import (
    AMBER,
    COBALT,
    HAZE,
    LINE,
    MARIGOLD,
    MIST,
    RED,
    SOFT,
    arrow,
    canvas,
    heading,
    plot,
    ticks,
    write,
)


def corrected() -> Figure:
    """The length of Adam's step for a gradient that is always 1, in units of the learning rate."""
    figure = canvas(540, 300)
    axes = plot(figure, 62, 54, 440, 210)
    steps = torch.arange(1, 5001, dtype=torch.float64)
    m, v = 1 - 0.9**steps, 1 - 0.999**steps
    weight = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([weight], lr=1.0)
    right: list[float] = []
    for _ in range(300):
        before, weight.grad = weight.item(), torch.ones_like(weight)
        optimizer.step()
        right.append(before - weight.item())
    axes.plot(steps, m / v.sqrt(), color=RED)
    axes.plot([*range(1, 301), 5000], [*right, right[-1]], color=COBALT)
    peak = int((m / v.sqrt()).argmax())
    highest = float((m / v.sqrt())[peak])
    axes.plot(peak + 1, highest, "o", color=RED, ms=7)
    axes.set(xscale="log", xlim=(1, 5000), ylim=(0, 7.6), xlabel="step", ylabel="length of the step / lr")
    axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    ticks(axes, None, (0, 1, 3.16, 5, 7))
    write(axes, peak + 6, highest + 0.25, f"without the correction: up to {highest:.1f} times as long", color=RED)
    write(axes, 2.2, 0.62, "torch.optim.Adam: 1 from the first step on", color=COBALT)
    return figure


def schedule() -> Figure:
    """Linear warm-up over 100 steps, a cosine down to a tenth at 1000, and the same rate from then on."""
    figure = canvas(540, 270)
    axes = plot(figure, 62, 54, 440, 186)
    warmup, total, floor = 100, 1000, 0.1
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.0)

    def factor(step: int) -> float:
        if step < warmup:
            return (step + 1) / warmup
        done = torch.tensor(min((step - warmup) / (total - warmup), 1.0), dtype=torch.float64)
        return float(floor + (1 - floor) * 0.5 * (1 + torch.cos(torch.pi * done)))

    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
    rates = []
    for _ in range(1150):
        rates.append(float(scheduler.get_last_lr()[0]))
        optimizer.step()
        scheduler.step()
    axes.axvspan(0, warmup, color=HAZE, lw=0)
    axes.plot(range(1150), rates, color=COBALT)
    axes.set(xlim=(0, 1150), ylim=(0, 1.12), xlabel="step of the optimizer", ylabel="rate / base rate")
    ticks(axes, (0, 100, 550, 1000), (0, 0.1, 0.55, 1))
    write(axes, 112, 0.2, "warm-up:\na straight line", color=SOFT)
    write(axes, 575, 0.63, "half-way: the mean of both ends", color=SOFT)
    write(axes, 1006, 0.2, "then constant", color=SOFT)
    return figure


def clipped() -> Figure:
    """One gradient, clipped by its norm and by its values."""
    figure = canvas(560, 284)
    gradient = torch.tensor([2.4, 0.8])
    weight = nn.Parameter(torch.zeros(2))
    for i, (title, color) in enumerate((("clip_grad_norm_(…, 1)", COBALT), ("clip_grad_value_(…, 1)", AMBER))):
        axes = plot(figure, 40 + 262 * i, 44, 240, 186)
        weight.grad = gradient.clone()
        clip = nn.utils.clip_grad_value_ if i else nn.utils.clip_grad_norm_
        clip([weight], 1.0)
        end = weight.grad.tolist()
        region = Rectangle((-1, -1), 2, 2, fc="#fdf1dc", ec=MARIGOLD) if i else Circle((0, 0), 1, fc=HAZE, ec=MIST)
        axes.add_patch(region)
        axes.axhline(0, color=LINE, lw=0.8)
        axes.axvline(0, color=LINE, lw=0.8)
        arrow(axes, (0, 0), tuple(gradient.tolist()), SOFT, ls="--", lw=1.3)
        arrow(axes, (0, 0), tuple(end), color, lw=2.8, mutation_scale=15)
        axes.set(xlim=(-1.35, 2.65), ylim=(-1.55, 1.55), aspect="equal")
        axes.axis("off")
        heading(axes, title, color)
        write(axes, 1.55, 0.94 if not i else 0.95, "gradient" if not i else "", color=SOFT, ha="center")
        write(axes, 1.1, -0.35, "same direction" if not i else "turned towards\nthe diagonal", color=color)
        write(axes, 1.1, -0.75 if not i else -1.05, "({:.2f}, {:.2f})".format(*end), color=SOFT, fontsize=11.5)
    return figure


def paths() -> Figure:
    """Forty steps in a valley that is ten times steeper across than along."""
    figure = canvas(560, 244)
    a = torch.linspace(-10.8, 1.8, 200, dtype=torch.float64)
    b = torch.linspace(-3.2, 3.2, 120, dtype=torch.float64)
    height = 0.5 * (a[None] ** 2 + 10 * b[:, None] ** 2)
    for i, (momentum, title, color) in enumerate(((0.0, "SGD, lr 0.03", AMBER), (0.8, "with momentum 0.8", COBALT))):
        axes = plot(figure, 30 + 260 * i, 46, 240, 144)
        axes.contour(a, b, height, levels=[0.5, 2, 5, 12, 25, 45, 70], colors=LINE, linewidths=0.9)
        place = torch.tensor([-10.0, 2.4], dtype=torch.float64, requires_grad=True)
        optimizer = torch.optim.SGD([place], lr=0.03, momentum=momentum)
        seen = [place.tolist()]
        for _ in range(40):
            optimizer.zero_grad()
            (0.5 * (place[0] ** 2 + 10 * place[1] ** 2)).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            seen.append(place.tolist())
        axes.plot(*zip(*seen, strict=True), "-o", color=color, ms=3.2, lw=1.3)
        axes.plot(0, 0, "+", color=SOFT, ms=10, mew=1.6)
        axes.set(xlim=(-10.8, 1.8), ylim=(-3.2, 3.2))
        axes.axis("off")
        heading(axes, title, color)
        left = sum(x * x for x in seen[-1]) ** 0.5
        axes.text(0, -0.09, f"after 40 steps: {left:.2f} away", transform=axes.transAxes, color=SOFT, va="top")
    return figure


PICTURES = {
    "optimization/adam-from-scratch/corrected": corrected,
    "optimization/warmup-and-cosine/schedule": schedule,
    "optimization/gradient-clipping/clipped": clipped,
    "optimization/sgd-momentum-nesterov/paths": paths,
}
