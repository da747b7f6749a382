"""Tensors: memory and shapes."""

import torch
from matplotlib.figure import Figure
from torch import Tensor

from challenges.pictures.style import (
    AMBER,
    COBALT,
    MARIGOLD,
    MIST,
    PANEL,
    SAND,
    SOFT,
    arrow,
    board,
    canvas,
    cells,
    write,
)

ROW_FILLS = (MIST, SAND, "#d7ecd9")


def numbers(row: Tensor) -> str:
    """The first four of a row."""
    return ", ".join(str(int(n)) for n in row[:4]) + ", …"


def strides() -> Figure:
    """One storage of twelve numbers, seen as x, as its transpose, and through a slice."""
    figure = canvas(540, 340)
    axes = board(figure)
    x = torch.arange(12).reshape(3, 4)
    fill = {int(v): ROW_FILLS[i] for i, row in enumerate(x) for v in row}
    write(axes, 24, 32, "the storage: twelve numbers in a row", color=SOFT)
    cells(axes, (24, 48), [x.flatten().tolist()], [[fill[int(v)] for v in x.flatten()]], 34)
    places = ((24, x, "x"), (222, x.T, "x.T"), (388, x[:, ::2], "x[:, ::2]"))
    for left, view, name in places:
        grid = [[fill[int(v)] for v in row] for row in view]
        cells(axes, (left, 160), view.tolist(), grid, 30)
        write(axes, left, 118, name, family="monospace", fontsize=12.5)
        write(axes, left, 140, f"strides {tuple(view.stride())}", color=COBALT)
    write(axes, 24, 272, "down: 4 further", color=SOFT, fontsize=11.5)
    write(axes, 24, 289, "right: 1 further", color=SOFT, fontsize=11.5)
    write(axes, 222, 300, f"{numbers(x.T.flatten())}: uneven,", color=SOFT, fontsize=11.5)
    write(axes, 222, 317, "so there is no view(12)", color=SOFT, fontsize=11.5)
    write(axes, 388, 272, f"{numbers(x[:, ::2].view(6))}: even,", color=SOFT, fontsize=11.5)
    write(axes, 388, 289, "so view(6) exists", color=SOFT, fontsize=11.5)
    return figure


def stretched() -> Figure:
    """(3, 1) plus (4,): both are read as (3, 4)."""
    figure = canvas(540, 214)
    axes = board(figure)
    a, b = torch.tensor([[0], [10], [20]]), torch.tensor([1, 2, 3, 4])
    grids = (
        (24, a.expand(3, 4), "a", "(3, 1)"),
        (208, b.expand(3, 4), "b", "(4,)  read as (1, 4)"),
        (392, a + b, "a + b", "(3, 4)"),
    )
    for left, grid, name, shape in grids:
        own = [
            [name == "a + b" or (name == "a" and j == 0) or (name == "b" and i == 0) for j in range(4)]
            for i in range(3)
        ]
        full = {"a": MIST, "b": SAND, "a + b": "#d7ecd9"}[name]
        fills = [[full if there else PANEL for there in row] for row in own]
        cells(axes, (left, 70), grid.tolist(), fills, 31)
        write(axes, left, 32, name, weight="bold")
        write(axes, left, 52, shape, color=SOFT, fontsize=11.5)
    write(axes, 178, 116, "+", ha="center", fontsize=18)
    write(axes, 362, 116, "=", ha="center", fontsize=18)
    write(
        axes, 24, 186, "filled: in memory.  White: read again with stride 0, never copied.", color=SOFT, fontsize=11.5
    )
    return figure


def picked() -> Figure:
    """gather along the columns, and scatter_add back along the same path."""
    figure = canvas(540, 246)
    axes = board(figure)
    x = torch.tensor([[5, 1, 8, 2], [7, 3, 0, 9], [4, 6, 2, 1]])
    index = torch.tensor([[2, 0], [3, 3], [1, 2]])
    taken = torch.zeros_like(x).scatter_add(1, index, torch.ones_like(index))
    fills = [[(ROW_FILLS[i] if taken[i, j] else PANEL) for j in range(4)] for i in range(3)]
    same = [[ROW_FILLS[i]] * 2 for i in range(3)]
    back = torch.zeros_like(x).scatter_add(1, index, x.gather(1, index))
    columns = ((24, x, fills, "x"), (180, index, [[PANEL] * 2] * 3, "index"), (276, x.gather(1, index), same, "out"))
    for left, grid, colours, name in columns:
        cells(axes, (left, 88), grid.tolist(), colours, 31)
        write(axes, left, 70, name, weight="bold")
    cells(axes, (388, 88), back.tolist(), fills, 31)
    write(axes, 24, 34, "out = x.gather(1, index)", family="monospace", color=COBALT)
    write(axes, 516, 34, "zeros.scatter_add(1, index, out)", family="monospace", color=AMBER, ha="right", fontsize=11.5)
    arrow(axes, (346, 134), (380, 134), MARIGOLD)
    write(axes, 24, 204, "out[i, j] = x[i, index[i, j]]", family="monospace", color=SOFT, fontsize=11.5)
    write(axes, 388, 204, "9 was taken twice,", color=SOFT, fontsize=11.5)
    write(axes, 388, 221, "and adds up to 18", color=SOFT, fontsize=11.5)
    return figure


def is_a_view(tensor: Tensor, of: Tensor) -> bool:
    """Whether both look at the same storage."""
    return tensor.untyped_storage().data_ptr() == of.untyped_storage().data_ptr()


def reshaped() -> Figure:
    """What view, permute and reshape do to the order in which the storage is read."""
    figure = canvas(540, 210)
    axes = board(figure)
    x = torch.arange(6).reshape(2, 3)
    fill = {v: MIST if v < 3 else SAND for v in range(6)}
    panels = (
        (24, x, "x"),
        (168, x.view(3, 2), "x.view(3, 2)"),
        (288, x.T, "x.T"),
        (388, x.T.reshape(2, 3), "x.T.reshape(2, 3)"),
    )
    for left, grid, name in panels:
        cells(axes, (left, 66), grid.tolist(), [[fill[int(v)] for v in row] for row in grid], 30)
        write(axes, left, 44, name, family="monospace", fontsize=11.5, color=COBALT)
        says = "shares memory" if is_a_view(grid, x) else "a copy"
        write(axes, left, 174, says, color=SOFT if says != "a copy" else AMBER, fontsize=11.5)
    return figure


PICTURES = {
    "tensors/strides-and-memory-layout/strides": strides,
    "tensors/broadcasting-rules/stretched": stretched,
    "tensors/gather-scatter-where/picked": picked,
    "tensors/reshape-view-flatten/reshaped": reshaped,
}
