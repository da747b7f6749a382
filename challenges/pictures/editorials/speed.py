"""Editorials on speed and memory: maxima of blocks, blocks of a recurrence, and the windows of a convolution."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from challenges.pictures.style import (
    AMBER,
    COBALT,
    HAZE,
    MIST,
    PANEL,
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


PICTURES: dict[str, Draw] = {
    "performance/batched-top-k-sampling/maxima": maxima,
    "performance/linear-recurrence/carried": carried,
}
