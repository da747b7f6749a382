"""Regularisation: running statistics, dropped units, and when to stop."""

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure
from torch import nn

from challenges.pictures.style import AMBER, COBALT, HAZE, MIST, SOFT, canvas, heading, plot, ticks, write


def running() -> Figure:
    """The running mean and variance of a BatchNorm over eighty batches, and those of the data."""
    figure = canvas(540, 290)
    axes = plot(figure, 48, 54, 344, 206)
    torch.manual_seed(0)
    norm = nn.BatchNorm1d(1, momentum=0.1, dtype=torch.float64)
    seen: list[tuple[float, float, float]] = []
    for _ in range(80):
        batch = 3.0 + 1.4 * torch.randn(16, 1, dtype=torch.float64)
        norm(batch)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        seen.append((batch.mean().item(), norm.running_mean.item(), norm.running_var.item()))
    own, mean, variance = zip(*seen, strict=True)
    steps = range(1, 81)
    axes.plot(steps, own, "o", ms=3.4, color=MIST)
    axes.plot([0, *steps], [0.0, *mean], color=COBALT)
    axes.plot([0, *steps], [1.0, *variance], color=AMBER)
    for level in (3.0, 1.96):
        axes.axhline(level, color=SOFT, lw=0.9, ls=(0, (4, 3)))
    axes.set(xlim=(0, 80), ylim=(0, 4.1), xlabel="batches of 16 in train()")
    ticks(axes, (0, 20, 40, 60, 80), (0, 1, 1.96, 3, 4))
    write(axes, 82, 3.0, "running mean:\nwhat eval() uses", color=COBALT)
    write(axes, 82, 1.96, "running variance", color=AMBER)
    write(axes, 82, 3.85, "dots: the mean of\na batch, in train()", color=SOFT, fontsize=11.5)
    return figure


def scaled() -> Figure:
    """The mean of fifty ones after dropout: its expectation stays, its spread grows with p."""
    figure = canvas(560, 268)
    torch.manual_seed(0)
    ones = torch.ones(40_000, 50, dtype=torch.float64)
    for i, (p, color) in enumerate(((0.2, COBALT), (0.5, AMBER))):
        axes = plot(figure, 40 + 264 * i, 54, 226, 156)
        kept = F.dropout(ones, p).mean(1) * 50 * (1 - p)
        counts = torch.bincount(kept.round().long(), minlength=51).double() / len(kept)
        values = torch.arange(51) / (50 * (1 - p))
        axes.bar(values.tolist(), counts.tolist(), width=0.86 / (50 * (1 - p)), color=color)
        axes.axvline(1.0, color=SOFT, lw=1.2, ls=(0, (4, 3)))
        axes.set(xlim=(0.3, 1.7), ylim=(0, 0.17), xlabel="mean of 50 ones after dropout")
        axes.spines["left"].set_visible(False)
        axes.grid(visible=False, axis="y")
        ticks(axes, (0.5, 1, 1.5), ())
        heading(axes, f"p = {p:g}: each survivor is {1 / (1 - p):g}", color)
    return figure


def stopped() -> Figure:
    """A network with too much room on forty noisy points: losses by epoch, the best one, and where patience ends."""
    figure = canvas(560, 300)
    axes = plot(figure, 58, 54, 360, 212)
    torch.manual_seed(1)
    x = torch.linspace(-3, 3, 80, dtype=torch.float64)[torch.randperm(80)][:, None]
    y = torch.sin(x) + 0.35 * torch.randn_like(x)
    train, validation = slice(0, 24), slice(24, 80)
    net = nn.Sequential(nn.Linear(1, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1)).double()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    losses: list[tuple[float, float]] = []
    for _ in range(1500):
        loss = F.mse_loss(net(x[train]), y[train])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        with torch.no_grad():
            losses.append((loss.item(), F.mse_loss(net(x[validation]), y[validation]).item()))
    groups = [losses[i : i + 10] for i in range(0, len(losses), 10)]  # an epoch is ten steps
    fit, held = ([sum(step[k] for step in group) / 10 for group in groups] for k in (0, 1))
    best, patience = min(range(len(held)), key=held.__getitem__), 20
    axes.axvspan(best, best + patience, color=HAZE, lw=0)
    axes.plot(fit, color=COBALT)
    axes.plot(held, color=AMBER)
    axes.plot(best, held[best], "o", color=AMBER, ms=8)
    last = len(held) - 1
    axes.set(xlim=(0, last), ylim=(0, max(0.42, held[-1] * 1.15)), xlabel="epoch", ylabel="mean squared error")
    ticks(axes, (0, 50, 100), (0, 0.1, 0.2, 0.3, 0.4))
    write(axes, last + 2, held[-1], "validation", color=AMBER)
    write(axes, last + 2, fit[-1], "training", color=COBALT)
    write(
        axes,
        best + patience + 1.5,
        held[best] * 0.87,
        f"best epoch: {best}, its weights are kept",
        color=AMBER,
        fontsize=11.5,
    )
    write(
        axes,
        best + patience + 1.5,
        0.93 * axes.get_ylim()[1],
        f"stop after {patience} epochs\nwithout progress",
        color=SOFT,
        fontsize=11.5,
        va="top",
    )
    return figure


PICTURES = {
    "regularization/batch-norm/running": running,
    "regularization/dropout/scaled": scaled,
    "regularization/early-stopping/stopped": stopped,
}
