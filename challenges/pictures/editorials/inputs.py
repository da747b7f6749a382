"""Editorials on what goes into a model: documents in one row, patches, positions beyond training, and pairs."""

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from challenges.pictures.style import (
    AMBER,
    COBALT,
    LEAF,
    MARIGOLD,
    MIST,
    PANEL,
    RED,
    ROSE,
    SAND,
    SOFT,
    board,
    canvas,
    cells,
    plot,
    ticks,
    write,
)

F64 = torch.float64


def packed() -> Figure:
    """A row with three documents and padding: its positions, its targets, and who sees whom."""
    figure = canvas(560, 330)
    axes = board(figure)
    number = torch.tensor([0, 0, 0, 0, 1, 1, 2, 2, 2, -1])
    real, places, size = number >= 0, torch.arange(10), 22
    same = number[:, None] == number
    mask = (same & real).tril() | torch.eye(10, dtype=torch.bool)
    first = torch.cat([torch.tensor([True]), number.diff() != 0])
    position = places - torch.where(first, places, 0).cummax(0).values
    target = real & torch.cat([number.diff() == 0, torch.tensor([False])])
    colors = (MIST, SAND, LEAF, PANEL)
    own = [colors[n] for n in number.tolist()]
    cells(
        axes,
        (50, 64),
        [[""] * 10] * 10,
        [[own[q] if s else PANEL for s in row] for q, row in enumerate(mask.tolist())],
        size,
    )
    write(axes, 50, 44, "who sees whom", color=SOFT, fontsize=11.5)
    for top, name, row in (
        (92, "positions", [str(p) if r else "" for p, r in zip(position.tolist(), real.tolist(), strict=True)]),
        (164, "has a target", ["✓" if t else "" for t in target.tolist()]),
    ):
        write(axes, 306, top - 14, name, color=SOFT, fontsize=11.5)
        cells(axes, (306, top), [row], [own], size)
    write(
        axes,
        306,
        226,
        "three documents, and one place\nof padding, which sees itself,\nso that no row is empty",
        fontsize=11.5,
        va="top",
    )
    return figure


def patches() -> Figure:
    """An image of four rows and six columns in patches of two: the order of the patches, and of the numbers inside one."""
    figure = canvas(560, 250)
    axes = board(figure)
    H, W, p, size = 4, 6, 2, 38
    image = torch.arange(H * W).view(H, W)
    cut = image.view(H // p, p, W // p, p).permute(0, 2, 1, 3).reshape(-1, p * p)
    wrong = image.reshape(-1, p * p)
    tones = (MIST, SAND, LEAF, ROSE, "#e2d8f3", PANEL)
    owner = {int(n): tones[row] for row, numbers in enumerate(cut) for n in numbers}
    cells(axes, (34, 62), image.tolist(), [[owner[n] for n in row] for row in image.tolist()], size)
    write(axes, 34, 42, "image", color=SOFT, fontsize=11.5)
    for left, title, grid, color in ((296, "cut, permuted", cut, COBALT), (426, "only reshaped", wrong, RED)):
        write(axes, left, 42, title, color=color, fontsize=11.5)
        cells(axes, (left, 62), grid.tolist(), [[owner[n] for n in row] for row in grid.tolist()], 26)
    write(axes, 296, 234, "a row is a patch", color=COBALT, fontsize=11.5)
    write(axes, 426, 234, "pieces of image rows", color=RED, fontsize=11.5)
    return figure


def turns() -> Figure:
    """The angle of each pair at four times the trained length, over its largest angle in training."""
    figure = canvas(560, 280)
    d, base, factor = 64, 10000.0, 4.0
    pair = torch.arange(d // 2, dtype=F64)
    theta = base ** (-2 * pair / d)
    other = (base * factor ** (d / (d - 2))) ** (-2 * pair / d)
    axes = plot(figure, 58, 54, 310, 194)
    for color, rates in ((RED, theta), (COBALT, theta / factor), (MARIGOLD, other)):
        axes.plot(pair, rates * factor / theta, color=color)
    axes.axhline(1, color=SOFT, lw=1.0, ls=(0, (4, 3)))
    axes.set(xlim=(0, d // 2 - 1), ylim=(0, 4.4), xlabel="pair, from fast to slow", ylabel="largest angle / trained")
    ticks(axes, (0, 10, 20, 31), (0, 1, 2, 4))
    write(axes, 32, 4, "unchanged", color=RED, fontsize=11.5, clip_on=False)
    write(
        axes,
        32,
        2.6,
        "NTK: fast pairs keep\ntheir speed, the slowest\nis squeezed",
        color=AMBER,
        fontsize=11.5,
        clip_on=False,
    )
    write(axes, 32, 0.75, "linear: all pairs are\nsqueezed alike", color=COBALT, fontsize=11.5, clip_on=False)
    return figure


def matrix() -> Figure:
    """The cosines of eight pairs on two processes: process 1 owns four rows and four columns, and its labels begin at 4."""
    figure = canvas(560, 296)
    axes = board(figure)
    torch.manual_seed(0)
    n, rank, share, size = 8, 1, 4, 25
    image = F.normalize(torch.randn(n, 16, dtype=F64), dim=1)
    text = F.normalize(image + 0.25 * torch.randn(n, 16, dtype=F64), dim=1)
    best = (image @ text.T).argmax(1)
    own = torch.arange(n) // share == rank
    fills = []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(MARIGOLD if best[i] == j else MIST if own[i] else SAND if own[j] else PANEL)
        fills.append(row)
    cells(axes, (78, 58), [[""] * n] * n, fills, size)
    write(axes, 78, 38, "texts →", color=SOFT, fontsize=11.5)
    write(axes, 66, 158, "images", color=SOFT, fontsize=11.5, ha="right")
    write(axes, 310, 78, "dark amber: the pairs", color=AMBER, fontsize=11.5)
    write(axes, 310, 116, "blue: the rows of process 1,\none product with all texts", color=COBALT, fontsize=11.5)
    write(
        axes,
        310,
        166,
        "light amber: its columns, which\nare no part of its rows: another\nproduct, with all images",
        color=AMBER,
        fontsize=11.5,
    )
    write(axes, 310, 224, f"its first label is {rank * share}", fontsize=11.5)
    return figure


PICTURES = {
    "architectures/packed-documents/packed": packed,
    "architectures/vit-patches/patches": patches,
    "architectures/rope-scaling-and-alibi/turns": turns,
    "losses/clip-loss/matrix": matrix,
}
