"""Losses: what a probability costs, where a sigmoid swallows a gradient, and which way round a divergence is taken."""

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure
from torch import Tensor

from challenges.pictures.style import AMBER, COBALT, HAZE, LINE, RED, SOFT, canvas, heading, plot, ticks, write


def surprise() -> Figure:
    """Minus the logarithm of the probability of the right class."""
    figure = canvas(540, 300)
    axes = plot(figure, 62, 54, 440, 216)
    p = torch.linspace(0.006, 1, 500, dtype=torch.float64)
    axes.plot(p, -p.log(), color=COBALT)
    for at, says in (
        (0.9, "sure and right: {:.2f}"),
        (0.5, "undecided: {:.2f}"),
        (0.1, "a blind guess of ten: {:.2f}"),
        (0.01, "sure and wrong: {:.2f}"),
    ):
        cost = float(-torch.tensor(at, dtype=torch.float64).log())
        axes.plot(at, cost, "o", color=COBALT, ms=7)
        end = at > 0.8
        write(
            axes,
            at - 0.0 if end else at + 0.03,
            cost + (0.42 if end else 0.16),
            says.format(cost),
            ha="center" if end else "left",
        )
    axes.set(
        xlim=(0, 1.0),
        ylim=(0, 5.2),
        xlabel="probability that the model gives to the right class",
        ylabel="loss, −log p",
    )
    ticks(axes, (0, 0.1, 0.5, 0.9, 1), (0, 1, 2, 3, 4, 5))
    return figure


def saturation() -> Figure:
    """Loss and gradient for target 0: through a sigmoid and BCE, and from the logit at once, in float32."""
    figure = canvas(560, 296)
    x = torch.linspace(0, 130, 2601, requires_grad=True)
    target = torch.zeros_like(x)
    curves = []
    for loss in (
        F.binary_cross_entropy(x.sigmoid(), target, reduction="none"),
        F.binary_cross_entropy_with_logits(x, target, reduction="none"),
    ):
        (slope,) = torch.autograd.grad(loss.sum(), x)
        curves.append((loss.detach(), slope))
    places = ((58, "loss", (0, 140), (0, 50, 100)), (330, "gradient", (-0.08, 1.25), (0, 1)))
    for i, (left, title, limits, marks) in enumerate(places):
        axes = plot(figure, left, 54, 206, 186)
        axes.plot(x.detach(), curves[1][i], color="#b4c4f5", lw=6)
        axes.plot(x.detach(), curves[0][i], color=RED, lw=1.8)
        axes.set(xlim=(0, 130), ylim=limits, xlabel="logit x, target 0")
        ticks(axes, (0, 17, 50, 100), marks)
        heading(axes, title)
        if i == 0:
            write(axes, 22, 120, "sigmoid, then BCE:\nclamped at 100", color=RED, va="center")
            write(axes, 66, 44, "with logits: x", color=COBALT)
        else:
            write(axes, 24, 0.14, "sigmoid, then BCE: 0", color=RED, fontsize=11.5)
            write(axes, 30, 1.13, "with logits: 1", color=COBALT)
    return figure


def fitted(p: Tensor, grid: Tensor, forward: bool) -> Tensor:
    """The normal distribution q with the least KL(p, q), or KL(q, p), found by gradient descent."""
    mean = torch.tensor(0.6, dtype=torch.float64, requires_grad=True)
    log_width = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([mean, log_width], lr=0.02)

    def normal() -> Tensor:
        return torch.log_softmax(-((grid - mean) ** 2) / (2 * (2 * log_width).exp()), 0)

    for _ in range(1500):
        q = normal()
        loss = (p * (p.log() - q)).sum() if forward else (q.exp() * (q - p.log())).sum()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return normal().detach().exp()


def directions() -> Figure:
    """The best single hill for a distribution with two: it covers both, or chooses one."""
    figure = canvas(560, 262)
    grid = torch.linspace(-7, 7, 701, dtype=torch.float64)
    hills = 0.4 * torch.exp(-((grid + 2.4) ** 2) / 0.9) + 0.6 * torch.exp(-((grid - 2.2) ** 2) / 0.9) + 1e-12
    p = hills / hills.sum()
    sides = ((30, True, "KL(p ‖ q): q covers all of p", AMBER), (290, False, "KL(q ‖ p): q stays within p", COBALT))
    for left, forward, title, color in sides:
        axes = plot(figure, left, 52, 240, 148)
        q = fitted(p, grid, forward)
        axes.fill_between(grid, 100 * p, color=HAZE, lw=0)
        axes.plot(grid, 100 * p, color=SOFT, lw=1.2)
        axes.plot(grid, 100 * q, color=color)
        axes.set(xlim=(-7, 7), ylim=(0, 1.25 * float(100 * max(p.max(), q.max()))))
        axes.spines["left"].set_visible(False)
        axes.grid(visible=False)
        axes.axhline(0, color=LINE, lw=0.8)
        ticks(axes, (), ())
        heading(axes, title, color)
        write(axes, -4.0 if not forward else -3.3, 100 * float(p.max()) * 0.83, "p", color=SOFT)
        top = int(q.argmax())
        write(
            axes,
            float(grid[top]) + (1.35 if not forward else -0.1),
            100 * float(q[top]) * (0.95 if not forward else 1.15),
            "q",
            color=color,
            weight="bold",
        )
    figure.text(
        30 / 560, 24 / 262, "one normal distribution q, fitted to the two hills of p by gradient descent", color=SOFT
    )
    return figure


PICTURES = {
    "losses/cross-entropy-from-logits/surprise": surprise,
    "losses/bce-with-logits/saturation": saturation,
    "losses/kl-and-distillation/directions": directions,
}
