"""Editorials on classical methods: clusters, boxes, curves, and what rounding leaves of them."""

import math

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from challenges.pictures.style import (
    AMBER,
    COBALT,
    LINE,
    MARIGOLD,
    MIST,
    RED,
    SOFT,
    canvas,
    heading,
    plot,
    ticks,
    write,
)

F32, F64 = torch.float32, torch.float64


def chain() -> Figure:
    """Three boxes in a chain: the first overlaps the second, the second the third, and the first and third hardly touch."""
    figure = canvas(560, 250)
    boxes = torch.tensor([[0.0, 1.0, 5.0, 4.0], [2.0, 0.4, 7.0, 3.4], [4.4, 1.0, 9.4, 4.0]], dtype=F64)
    low = torch.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = (high - low).clamp(min=0).prod(-1)
    area = (boxes[:, 2:] - boxes[:, :2]).prod(-1)
    iou = shared / (area[:, None] + area - shared)
    axes = plot(figure, 30, 30, 310, 180)
    for box, color, name, style in zip(
        boxes.tolist(), (COBALT, RED, COBALT), "ABC", ("-", (0, (4, 3)), "-"), strict=True
    ):
        axes.add_patch(Rectangle(box[:2], box[2] - box[0], box[3] - box[1], fc=color, alpha=0.12, ec="none"))
        axes.add_patch(Rectangle(box[:2], box[2] - box[0], box[3] - box[1], fc="none", ec=color, lw=2, ls=style))
        at = {"A": 1.0, "B": 3.2, "C": 8.4}[name]
        write(axes, at, (box[1] + box[3]) / 2, name, ha="center", color=color, weight="bold")
    axes.set(xlim=(-0.2, 9.8), ylim=(0, 4.4))
    axes.axis("off")
    write(
        axes,
        10.3,
        3.8,
        f"A and B: {iou[0, 1]:.2f}   B and C: {iou[1, 2]:.2f}   A and C: {iou[0, 2]:.2f}".replace("   ", "\n"),
        fontsize=11.5,
        va="top",
        clip_on=False,
    )
    write(
        axes,
        10.3,
        2.1,
        "threshold 0.25, scores\nA > B > C: A suppresses B.\nC is too close to B alone,\nwhich is gone, so C stays",
        color=COBALT,
        fontsize=11.5,
        va="top",
        clip_on=False,
    )
    return figure


def cancelled() -> Figure:
    """Squared distances of rows near 4096 in float32: from the three-term formula, and from differences, over the true ones."""
    figure = canvas(560, 280)
    torch.manual_seed(0)
    q, r = 4096 + torch.rand(2, 2, dtype=F64), 4096 + torch.rand(60, 2, dtype=F64)
    q, r = q.float(), r.float()
    true = (q.double()[:, None] - r.double()).square().sum(-1).flatten()
    inner = (q[:, None] * r).sum(-1)  # a matrix product may be rounded otherwise on another processor
    product = (q.square().sum(1)[:, None] - 2 * inner + r.square().sum(1)).flatten()
    direct = (q[:, None] - r).square().sum(-1).flatten()
    axes = plot(figure, 58, 54, 300, 194)
    axes.plot(true, product, "o", ms=4, color=RED, alpha=0.7)
    axes.plot(true, direct, "o", ms=4, color=COBALT)
    axes.axhline(0, color=SOFT, lw=1.0)
    axes.set(xlabel="squared distance", ylabel="as computed in float32", xlim=(0, 1.2), ylim=(-5.5, 2.5))
    ticks(axes, (0, 0.5, 1), (-4, -2, 0, 2))
    below, step = int((product < 0).sum()), product.unique().diff().min().item()  # type: ignore[no-untyped-call]
    write(
        axes,
        1.25,
        1.2,
        f"red: |q|² − 2 q·r + |r|².\nSteps of {step:g}, and {below} of\n{len(true)} are negative",
        color=RED,
        fontsize=11.5,
        clip_on=False,
    )
    write(axes, 1.25, -2.4, "blue: differences first", color=COBALT, fontsize=11.5, clip_on=False)
    return figure


def seeds() -> Figure:
    """Three clusters and a first centre: the chance of each row to be the second one, drawn as its size."""
    figure = canvas(560, 280)
    torch.manual_seed(5)
    middles = torch.tensor([[0.0, 0.0], [5.0, 0.6], [1.6, 3.6]], dtype=F64)
    x = torch.cat([m + 0.5 * torch.randn(n, 2, dtype=F64) for m, n in zip(middles, (24, 14, 14), strict=True)])
    cost = (x - x[0]).square().sum(1)
    chance = cost / cost.sum()
    axes = plot(figure, 46, 40, 330, 210)
    axes.scatter(x[:, 0], x[:, 1], s=(6 + 2600 * chance).tolist(), color=MIST, edgecolors=COBALT, linewidths=0.9)
    axes.plot(*x[0].tolist(), "X", color=AMBER, ms=12, zorder=7)
    axes.set(aspect="equal", xlim=(-1.6, 6.6), ylim=(-1.5, 5.1))
    ticks(axes, (0, 2, 4, 6), (0, 2, 4))
    parts = chance.split((24, 14, 14))  # type: ignore[no-untyped-call]
    for k, (at, name) in enumerate((((5.0, -0.9), "right"), ((1.6, 4.9), "top"))):
        write(axes, *at, f"{100 * parts[k + 1].sum():.0f} %", ha="center", color=COBALT)
    write(axes, 0, -1.2, f"{100 * parts[0].sum():.0f} %", ha="center", color=COBALT)
    write(axes, 6.9, 4.3, "cross: the first centre", color=AMBER, fontsize=11.5, clip_on=False)
    write(
        axes,
        6.9,
        2.6,
        "size: the chance to be\nthe second one. Its own\ncluster, though the\nlargest, is hardly drawn",
        color=COBALT,
        fontsize=11.5,
        clip_on=False,
    )
    return figure


def drowned() -> Figure:
    """The smallest standard deviation of three, found in float32: by singular values, and by eigenvalues of the covariance."""
    figure = canvas(560, 280)
    torch.manual_seed(0)
    base = torch.linalg.qr(torch.randn(400, 3, dtype=F64)).Q
    base = torch.linalg.qr(base - base.mean(0)).Q
    turn = torch.linalg.qr(torch.randn(3, 3, dtype=F64)).Q
    sizes = 10 ** -torch.linspace(0, 6, 25, dtype=F64)
    svd, eig = [], []  # only what is stored is float32: then rounding is the same on each processor
    for size in sizes:
        x = (
            base * torch.stack([torch.ones(()).double(), torch.tensor(0.5).double(), size]) * 399**0.5 @ turn.T
        ).float()
        x = (x - x.mean(0)).double()
        svd.append(torch.linalg.svdvals(x)[-1].item() / 399**0.5)
        eig.append(torch.linalg.eigvalsh((x.T @ x / 399).float().double())[0].clamp(min=0).sqrt().item())
    axes = plot(figure, 66, 54, 300, 194)
    axes.plot(sizes, sizes, color=SOFT, lw=1.1, ls=(0, (4, 3)))
    axes.plot(sizes, [e if e > 0 else math.nan for e in eig], "o", ms=5, color=RED)
    axes.plot(sizes, svd, "o", ms=5, color=COBALT)
    lost = [s.item() for s, e in zip(sizes, eig, strict=True) if e == 0]
    axes.plot(lost, [1.6e-7] * len(lost), "x", color=RED, ms=6, mew=1.6)
    axes.set(xscale="log", yscale="log", ylim=(1e-7, 2), xlabel="smallest standard deviation", ylabel="found")
    axes.set_xticks([1e-6, 1e-4, 1e-2, 1], ["10⁻⁶", "10⁻⁴", "0.01", "1"])
    axes.set_yticks([1e-6, 1e-4, 1e-2, 1], ["10⁻⁶", "10⁻⁴", "0.01", "1"])
    axes.minorticks_off()
    write(axes, 2.2, 4e-2, "blue: svd of the\ncentred rows", color=COBALT, fontsize=11.5, clip_on=False)
    write(
        axes,
        2.2,
        3e-4,
        "red: eigenvalues of the\ncovariance. Below some\n10⁻⁴ they are noise;\ncrosses: negative",
        color=RED,
        fontsize=11.5,
        clip_on=False,
    )
    return figure


def runaway() -> Figure:
    """Gradient descent on separable data, without and with a penalty: the norm of the weights, and of the gradient."""
    figure = canvas(560, 290)
    torch.manual_seed(2)
    x = torch.randn(40, 2, dtype=F64)
    y = (x[:, 0] + 0.5 * x[:, 1] > 0).double()
    x = x + 0.15 * (2 * y - 1)[:, None]
    for left, title in ((56, "norm of the weights"), (330, "norm of the gradient")):
        axes = plot(figure, left, 54, 190, 176)
        for l2, color in ((0.0, RED), (0.03, COBALT)):
            w, seen = torch.zeros(2, dtype=F64), []
            for _ in range(10000):
                grad = x.T @ ((x @ w).sigmoid() - y) / 40 + l2 * w
                seen.append((w.norm() if left < 100 else grad.norm()).item())
                w = w - 1.0 * grad
            axes.plot(range(1, 10001), [s if s > 1e-9 else math.nan for s in seen], color=color)
        axes.set(xscale="log", xlim=(1, 1e4), xlabel="step")
        axes.set_xticks([1, 100, 10000], ["1", "100", "10,000"])
        if left > 100:
            axes.set(yscale="log", ylim=(1e-9, 1))
            axes.set_yticks([1e-8, 1e-4, 1], ["10⁻⁸", "10⁻⁴", "1"])
        else:
            ticks(axes, None, (0, 5, 10, 15))
        axes.minorticks_off()
        heading(axes, title, SOFT)
    figure.text(0.1, 0.92, "red: no penalty", color=RED, fontsize=11.5)
    figure.text(0.4, 0.92, "blue: a penalty of 0.03", color=COBALT, fontsize=11.5)
    return figure


def places() -> Figure:
    """Eight rows sorted by a feature, and the gain of each place between two of them; between equal values there is none."""
    figure = canvas(560, 290)
    value = torch.tensor([1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 4.0, 6.0], dtype=F64)
    y = torch.tensor([0, 0, 0, 0, 0, 1, 1, 1])
    z = torch.nn.functional.one_hot(y).double()
    left, n = z.cumsum(0)[:-1], torch.arange(1, 8)
    total = z.sum(0)
    squares = left.square().sum(-1) / n + (total - left).square().sum(-1) / (8 - n)
    gains = squares / 8 - total.square().sum() / 64
    possible = value[1:] > value[:-1]
    axes = plot(figure, 58, 92, 330, 158)
    at = torch.arange(7) + 0.5
    axes.bar(at[possible].tolist(), gains[possible].tolist(), 0.5, color=COBALT)
    axes.bar(at[~possible].tolist(), gains[~possible].tolist(), 0.5, color="none", ec=RED, lw=1.4, ls=(0, (3, 2)))
    axes.set(xlim=(-0.5, 7.5), ylim=(0, 0.56), ylabel="gain")
    axes.grid(visible=False, axis="x")
    axes.set_xticks(range(8), [f"{v:g}" for v in value])
    ticks(axes, None, (0, 0.2, 0.4))
    for row in range(8):
        axes.plot(row, -0.16, "o", ms=12, color=(MIST, MARIGOLD)[y[row]], mec=LINE, clip_on=False)
    write(axes, -0.9, -0.16, "class", ha="right", color=SOFT, fontsize=11.5, clip_on=False)
    write(
        axes,
        7.8,
        0.47,
        "red: between equal\nvalues. The highest of\nall, and no threshold\ncuts there",
        color=RED,
        fontsize=11.5,
        clip_on=False,
    )
    best = value[:-1][possible][gains[possible].argmax()]
    write(
        axes,
        7.8,
        0.16,
        f"blue: the candidates.\nThe best threshold is {best:g}",
        color=COBALT,
        fontsize=11.5,
        clip_on=False,
    )
    return figure


PICTURES = {
    "classical/iou-and-nms/chain": chain,
    "classical/knn-in-chunks/cancelled": cancelled,
    "classical/k-means-plus-plus/seeds": seeds,
    "classical/pca-by-svd/drowned": drowned,
    "classical/logistic-regression-by-hand/runaway": runaway,
    "classical/decision-tree-split/places": places,
}
