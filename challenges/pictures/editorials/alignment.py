"""Editorials on alignment: which tokens count, how strongly a pair or a step pulls, and where a sum of surprises ends."""

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from challenges.pictures.style import (
    AMBER,
    COBALT,
    HAZE,
    MARIGOLD,
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

F64 = torch.float64


def pull() -> Figure:
    """The gradient of one pair over its margin: of the log-sigmoid, and of a logarithm that is protected by a small number."""
    figure = canvas(560, 280)
    axes = plot(figure, 58, 54, 330, 196)
    margin = torch.linspace(-40, 10, 401, dtype=F64)
    for color, loss in (
        (COBALT, lambda m: -F.logsigmoid(m)),
        (RED, lambda m: -(m.sigmoid() + 1e-8).log()),
    ):
        m = margin.clone().requires_grad_()
        (slope,) = torch.autograd.grad(loss(m).sum(), m)
        axes.plot(margin, -slope, color=color)
    axes.set(xlim=(-40, 10), ylim=(-0.04, 1.1), xlabel="margin of the pair", ylabel="pull, in units of β")
    ticks(axes, (-40, -30, -20, -10, 0, 10), (0, 0.5, 1))
    write(axes, 11, 0.78, "logsigmoid(m):\nthe worst pairs\npull the most", color=COBALT, clip_on=False)
    write(axes, 11, 0.3, "log(sigmoid(m) + 1e-8):\nthe worst pairs\nare given up", color=RED, clip_on=False)
    return figure


def minimum() -> Figure:
    """What one token adds to the objective as its ratio moves: for an answer better than its group, and for a worse one."""
    figure = canvas(560, 272)
    clip = 0.2
    ratio = torch.linspace(0.4, 1.6, 241, dtype=F64)
    for left, advantage, title, color in ((52, 1.0, "advantage 1", COBALT), (324, -1.0, "advantage −1", AMBER)):
        axes = plot(figure, left, 58, 200, 164)
        plain, cut = ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage
        axes.plot(ratio, cut, color=SOFT, lw=1.1, ls=(0, (4, 3)))
        axes.plot(ratio, torch.minimum(plain, cut), color=color, lw=2.8)
        axes.plot([1], [advantage], "o", color=color, ms=6)
        axes.set(xlim=(0.4, 1.6), xlabel="ratio π / π_old")
        ticks(axes, (0.4, 0.8, 1, 1.2, 1.6), (0.4, 0.8, 1.2, 1.6) if advantage > 0 else (-1.6, -1.2, -0.8, -0.4))
        heading(axes, title, color)
    figure.text(0.5, 0.93, "dashed: the clipped ratio alone", color=SOFT, fontsize=11.5, ha="center")
    return figure


def cut_sum() -> Figure:
    """The weight of each surprise in each advantage, from a run of GAE on one surprise at a time."""
    figure = canvas(560, 300)
    axes = board(figure)
    steps, decay = 6, 0.8
    terminated, truncated = torch.tensor([0, 1, 0, 0, 0, 0]), torch.tensor([0, 0, 0, 1, 0, 0])
    delta, behind = torch.eye(steps), torch.zeros(steps)
    weights = torch.zeros(steps, steps)
    for t in reversed(range(steps)):
        behind = delta[t] + decay * (1 - (terminated | truncated)[t]) * behind
        weights[t] = behind
    fills = [[PANEL if w == 0 else MARIGOLD if w == 1 else SAND for w in row] for row in weights.tolist()]
    values = [["" if w == 0 else f"{w:.2g}" for w in row] for row in weights.tolist()]
    cells(axes, (78, 68), values, fills, 34)
    for t in range(steps):
        write(axes, 64, 85 + 34 * t, f"A{'₀₁₂₃₄₅'[t]}", ha="right", color=SOFT)
        write(axes, 95 + 34 * t, 52, f"δ{'₀₁₂₃₄₅'[t]}", ha="center", color=SOFT)
    write(axes, 308, 85 + 34, "step 1 is terminated:\nno value behind it, the sum ends", color=RED, fontsize=11.5)
    write(axes, 308, 85 + 102, "step 3 is truncated:\nits value stays in δ₃, the sum ends", color=COBALT, fontsize=11.5)
    write(axes, 308, 85 + 170, "γλ = 0.8", color=AMBER, fontsize=11.5)
    return figure


def shift() -> Figure:
    """A row of a batch: the logits of each position, the label that they are compared with, and the pairs that count."""
    figure = canvas(560, 224)
    axes = board(figure)
    words = ["Is", "it", "late", "?", "Yes", ".", "pad", "pad"]
    labels = torch.tensor([-100, -100, -100, -100, 4, 5, -100, -100])
    size, left = 52, 104
    target = labels[1:].tolist()
    for name, top, row, fills in (
        ("logits of", 58, [*words[:-1], ""], [MIST if t >= 0 else PANEL for t in target] + [HAZE]),
        ("label", 130, words, [SAND if t >= 0 else PANEL for t in labels.tolist()]),
    ):
        write(axes, left - 14, top + size / 2, name, ha="right", color=SOFT)
        cells(axes, (left, top), [row], [fills], size)
    for t, label in enumerate(target):
        color = COBALT if label >= 0 else "#d9d3c7"
        arrow(axes, (left + size * (t + 0.5), 110), (left + size * (t + 1.5), 129), color)
    write(axes, left, 36, "two pairs count: the sum is divided by 2, not by 7", color=COBALT, fontsize=11.5)
    write(axes, left, 202, "white: −100 (prompt and padding)", color=SOFT, fontsize=11.5)
    return figure


PICTURES = {
    "alignment/dpo-loss/pull": pull,
    "alignment/grpo-loss/minimum": minimum,
    "alignment/ppo-with-gae/cut-sum": cut_sum,
    "alignment/sft-and-reward-model-losses/shift": shift,
}
