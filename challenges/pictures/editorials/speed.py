"""Editorials on speed and memory: maxima of blocks, blocks of a recurrence, and blocks of a product that hang over an edge."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from challenges.pictures.style import (
    AMBER,
    COBALT,
    GREEN,
    HAZE,
    LEAF,
    MIST,
    PANEL,
    RED,
    ROSE,
    SAND,
    SOFT,
    Draw,
    arrow,
    board,
    canvas,
    cells,
    write,
)


def maxima() -> Figure:
    """Twenty logits in five blocks: three largest numbers, which lie in the three blocks with the largest maxima."""
    figure = canvas(560, 250)
    axes = board(figure)
    logits = torch.tensor([3, 1, 4, 2, 9, 8, 0, 2, 5, 3, 1, 6, 2, 4, 3, 0, 1, 7, 2, 5])
    k, block, size = 3, 4, 25
    tops = logits.view(-1, block).amax(1)
    chosen = tops.topk(k).indices.sort().values.tolist()
    border = int(logits.topk(k).values[-1])
    write(axes, 30, 34, f"the logits of a row, in blocks of {block}", color=SOFT, fontsize=11.5)
    for n in range(len(tops)):
        left = 30 + n * (block * size + 4)
        part = logits[n * block : (n + 1) * block].tolist()
        fill = [SAND if v >= border else HAZE if n in chosen else PANEL for v in part]
        cells(axes, (left, 50), [part], [fill], size)
        middle = left + block * size / 2
        arrow(axes, (middle, 78), (middle, 98), COBALT if n in chosen else SOFT)
        cells(axes, (middle - size / 2, 101), [[int(tops[n])]], [[MIST if n in chosen else PANEL]], size)
    write(axes, 30, 150, "one pass: the maximum of each block", color=SOFT, fontsize=11.5)
    notes = (
        (176, COBALT, f"The {k} blocks with the largest maxima: {k * block} candidates instead of {len(logits)}."),
        (
            202,
            AMBER,
            f"The {k} largest logits are among them, here two in one block and none in another.",
        ),
    )
    for y, color, says in notes:
        write(axes, 30, y, says, color=color, fontsize=11.5)
    return figure


def carried() -> Figure:
    """A recurrence of twelve steps with the factor 1/2, in three blocks: states from zero, and the carried ones."""
    figure = canvas(560, 300)
    axes = board(figure)
    size, count, length = 38, 3, 4
    b = torch.tensor([8.0, 0, 4, 0, 0, 4, 0, 8, 0, 0, 0, 4])
    local = torch.zeros(count, length)
    for n in range(count):
        h = torch.tensor(0.0)
        for t in range(length):
            h = 0.5 * h + b[n * length + t]
            local[n, t] = h
    whole, h = [], torch.tensor(0.0)
    for value in b:
        h = 0.5 * h + value
        whole.append(h)
    states = torch.stack(whole).view(count, length)

    def shown(values: torch.Tensor) -> list[str]:
        return [f"{v:.3g}" for v in values.tolist()]

    rows: tuple[tuple[int, str, torch.Tensor, Callable[[int, int], str]], ...] = (
        (50, "b, cut into three blocks", b.view(count, length), lambda n, t: PANEL),
        (122, "each block from zero, all at the same time", local, lambda n, t: MIST if t == length - 1 else HAZE),
        (194, "plus the carried state times ½, ¼, ⅛, ...", states, lambda n, t: SAND if n else HAZE),
    )
    for top, says, values, fill in rows:
        write(axes, 30, top - 14, says, color=SOFT, fontsize=11.5)
        for n in range(count):
            left = 30 + n * (length * size + 22)
            cells(axes, (left, top), [shown(values[n])], [[fill(n, t) for t in range(length)]], size)
    for n in range(count - 1):
        end = 30 + n * (length * size + 22) + length * size
        arrow(axes, (end - size / 2, 234), (end + 22 + size / 2, 236), COBALT, connectionstyle="arc3,rad=0.55")
    write(axes, 30, 270, "the last state of a block is carried into the next one", color=COBALT, fontsize=11.5)
    return figure


def tails() -> Figure:
    """A product of 5 x 6 and 6 x 7 in blocks of four: what the last program loads, fills with zeros and stores."""
    figure = canvas(560, 330)
    axes = board(figure)
    (M, K, N), block, size = (5, 6, 7), 4, 18
    places = {"a": (40, 60, M, K), "b": (216, 60, K, N), "out": (392, 60, M, N)}
    for name, (left, top, rows, columns) in places.items():
        down, across = (-(-n // block) * block for n in (rows, columns))
        first, second = down - block if name != "b" else 0, across - block if name != "a" else 0
        fills = [[PANEL] * across for _ in range(down)]
        for i in range(down):
            for j in range(across):
                real = i < rows and j < columns
                if i >= first and j >= second:
                    fills[i][j] = (MIST if real else SAND) if name != "out" else (LEAF if real else ROSE)
                elif real:
                    fills[i][j] = HAZE
        cells(axes, (left, top), [[""] * across] * down, fills, size)
        for n in range(0, across + 1, block):
            axes.plot([left + n * size] * 2, [top, top + down * size], color=SOFT, lw=1.6, zorder=7)
        for n in range(0, down + 1, block):
            axes.plot([left, left + across * size], [top + n * size] * 2, color=SOFT, lw=1.6, zorder=7)
        write(axes, left, top - 16, f"{name}: {rows} × {columns}", color=SOFT, fontsize=11.5)
    notes = (
        (234, COBALT, "blue: loaded by the program of the lower right block, in two steps along K"),
        (258, AMBER, "amber: lanes of these loads outside of a or b; they must hold zeros"),
        (282, GREEN, "green: stored"),
        (306, RED, "red: lanes that hold a sum, too, and must not be stored"),
    )
    for y, color, says in notes:
        write(axes, 40, y, says, color=color, fontsize=11.5)
    return figure


PICTURES: dict[str, Draw] = {
    "performance/batched-top-k-sampling/maxima": maxima,
    "performance/linear-recurrence/carried": carried,
    "performance/triton-softmax-and-matmul/tails": tails,
}
