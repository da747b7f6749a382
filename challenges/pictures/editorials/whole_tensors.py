"""Editorials on whole tensors: windows as a view, sums by prefixes, packed matrices, doubling, and rounds of relaxation."""

import math

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from challenges.pictures.style import (
    AMBER,
    COBALT,
    HAZE,
    INK,
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


def windows() -> Figure:
    """A row of six numbers with one padded place on each side, and its windows of three: rows of a view."""
    figure = canvas(560, 330)
    axes = board(figure)
    size, left = 32, 36
    x = torch.arange(1, 7)
    padded = torch.cat([torch.zeros(1, dtype=torch.int64), x, torch.zeros(1, dtype=torch.int64)])
    view = padded.unfold(0, 3, 1)
    write(axes, left, 36, "the padded input", color=SOFT, fontsize=11.5)
    fills = [[SAND if v == 0 else MIST if v == 3 else PANEL for v in padded.tolist()]]
    cells(axes, (left, 52), [["p" if v == 0 else v for v in padded.tolist()]], fills, size)
    write(axes, left, 112, "x.unfold(dim, 3, 1)", family="monospace", fontsize=11.5)
    values = [["p" if v == 0 else v for v in row] for row in view.tolist()]
    fills = [[SAND if v == 0 else MIST if v == 3 else PANEL for v in row] for row in view.tolist()]
    cells(axes, (left, 128), values, fills, 30)
    write(axes, left + 106, 143, "window 0", color=SOFT, fontsize=11.5)
    write(axes, left + 106, 293, "window 5", color=SOFT, fontsize=11.5)
    notes = (
        (
            150,
            COBALT,
            "blue: one number of the input stands in three\nwindows, so its gradient is a sum of three parts",
        ),
        (206, AMBER, "p: the padding. 0 for a sum, −∞ for a maximum"),
        (
            240,
            INK,
            "The view copies nothing. A second place dimension\nadds a second window dimension in the same way.",
        ),
    )
    for y, color, says in notes:
        write(axes, 232, y, says, color=color, fontsize=11.5, va="top")
    return figure


def prefixes() -> Figure:
    """A row of seven pixels and its prefix sums: the sums of two windows of radius 2, one of them cut by the border."""
    figure = canvas(560, 278)
    axes = board(figure)
    size, left, radius = 44, 112, 2
    x = torch.tensor([3, 9, 4, 0, 7, 2, 5])
    before = torch.nn.functional.pad(x.cumsum(0), (1, 0))
    place = torch.arange(len(x))
    start, end = (place - radius).clamp(min=0), (place + radius + 1).clamp(max=len(x))
    cells(axes, (left, 54), [x.tolist()], [[PANEL] * 7], size)
    cells(axes, (left - size / 2, 158), [before.tolist()], [[PANEL] * 8], size)
    write(axes, left - 14, 76, "pixels", ha="right", color=SOFT, fontsize=11.5)
    write(axes, left - size / 2 - 14, 180, "before", ha="right", family="monospace", color=SOFT, fontsize=11.5)
    for i, color, y in ((0, AMBER, 110), (4, COBALT, 132)):
        first, last = int(start[i]), int(end[i])
        axes.plot([left + first * size + 3, left + last * size - 3], [y, y], color=color, lw=5, solid_capstyle="butt")
        for edge in (first, last):
            arrow(axes, (left + edge * size, y + 3), (left + edge * size, 156), color)
        total = int(before[last] - before[first])
        says = f"window of pixel {i}: {int(before[last])} − {int(before[first])} = {total}, from {last - first} pixels"
        write(axes, left - size / 2, 224 if i == 0 else 246, says, color=color, fontsize=11.5)
    write(axes, left, 36, "radius 2: both ends of a window are clamped to the row", color=SOFT, fontsize=11.5)
    return figure


def packed() -> Figure:
    """Ten packed numbers of a symmetric 4 × 4 matrix, and the table of places that unpacks them."""
    figure = canvas(560, 268)
    axes = board(figure)
    n, size = 4, 36
    row, column = torch.tril_indices(n, n)
    place = torch.zeros(n, n, dtype=torch.int64)
    place[row, column] = place[column, row] = torch.arange(len(row))
    marked = int(place[2, 1])

    def fill(v: int) -> str:
        return SAND if v == marked else HAZE if v in torch.diagonal(place).tolist() else PANEL

    write(axes, 32, 36, "packed: the lower triangle, row by row", color=SOFT, fontsize=11.5)
    cells(axes, (32, 52), [list(range(len(row)))], [[fill(v) for v in range(len(row))]], size)
    cells(axes, (32, 108), place.tolist(), [[fill(v) for v in values] for values in place.tolist()], size)
    write(axes, 208, 124, "the table of places", family="sans-serif", fontsize=12.5)
    notes = (
        (146, COBALT, "blue: the diagonal, each number in one place"),
        (
            172,
            AMBER,
            f"amber: place {marked} = 2 · 3 / 2 + 1, read twice, at (2, 1)\nand (1, 2); its gradient is the sum of both",
        ),
        (222, SOFT, "packed[place] is the symmetric matrix"),
    )
    for y, color, says in notes:
        write(axes, 208, y, says, color=color, fontsize=11.5, va="top")
    return figure


def doubled() -> Figure:
    """Prefix sums of eight numbers by three doublings: who is added to whom in each step."""
    figure = canvas(560, 350)
    axes = board(figure)
    size, left, gap = 44, 36, 76
    x = torch.tensor([3, 1, 4, 1, 5, 9, 2, 6])
    step = 1
    rows, reach = [x], [1]
    while step < len(x):
        x = torch.cat([x[:step], x[step:] + x[:-step]])
        step *= 2
        rows.append(x)
        reach.append(step)
    for level, (values, span) in enumerate(zip(rows, reach, strict=True)):
        y = 36 + gap * level
        fills = [[MIST if i < span else PANEL for i in range(8)]]
        cells(axes, (left, y), [values.tolist()], fills, size)
        says = "each its own" if span == 1 else f"the last {span}"
        write(axes, left + 8 * size + 18, y + 22, says, color=SOFT, fontsize=11.5)
        if level:
            half = span // 2
            for i in range(half, 8):
                start = (left + (i - half + 0.5) * size, y - gap + size + 1)
                arrow(axes, start, (left + (i + 0.5) * size, y - 2), COBALT, lw=1.1, mutation_scale=8)
            write(axes, left + 8 * size + 18, y - 15, f"+ the place {half} to the left", color=COBALT, fontsize=11.5)
    write(axes, left, 326, "blue cells are complete: nothing stands further left", color=COBALT, fontsize=11.5)
    return figure


def rounds() -> Figure:
    """A graph of five nodes with one negative edge, and the distances from node 0 after each round."""
    figure = canvas(560, 270)
    axes = board(figure)
    at = {0: (52, 140), 1: (140, 66), 2: (140, 214), 3: (232, 66), 4: (232, 214)}
    edges = {(0, 1): 6, (0, 2): 1, (2, 4): 1, (4, 1): -2, (1, 3): 1, (4, 3): 4}
    weights = torch.full((5, 5), math.inf)
    for (i, j), length in edges.items():
        weights[i, j] = length
        (x0, y0), (x1, y1) = at[i], at[j]
        far = math.hypot(x1 - x0, y1 - y0)
        ux, uy = (x1 - x0) / far, (y1 - y0) / far
        color = AMBER if length < 0 else SOFT
        arrow(axes, (x0 + 16 * ux, y0 + 16 * uy), (x1 - 17 * ux, y1 - 17 * uy), color)
        mx, my = (x0 + x1) / 2 + 12 * uy, (y0 + y1) / 2 - 12 * ux
        write(axes, mx, my, str(length).replace("-", "−"), ha="center", color=color, fontsize=11.5)
    for node, (x, y) in at.items():
        axes.add_patch(Circle((x, y), 15, fc=COBALT if node == 0 else PANEL, ec=SOFT, lw=1, zorder=5))
        write(axes, x, y, str(node), ha="center", color=PANEL if node == 0 else INK, zorder=7)
    distance = torch.full((5,), math.inf)
    distance[0] = 0
    table = [distance]
    for _ in range(4):
        distance = torch.minimum(distance, (distance[:, None] + weights).amin(0))
        table.append(distance)
    size, left, top = 34, 344, 60
    values = [["∞" if v == math.inf else f"{v:.0f}".replace("-", "−") for v in row.tolist()] for row in table]
    fills = [[MIST if r and table[r][i] != table[r - 1][i] else PANEL for i in range(5)] for r in range(len(table))]
    cells(axes, (left, top), values, fills, size)
    for i in range(5):
        write(axes, left + (i + 0.5) * size, top - 14, str(i), ha="center", color=SOFT, fontsize=11.5)
    write(axes, left - 10, top - 14, "node", ha="right", color=SOFT, fontsize=11.5)
    for r in range(len(table)):
        write(axes, left - 10, top + (r + 0.5) * size, f"round {r}", ha="right", color=SOFT, fontsize=11.5)
    write(axes, left - 62, 248, "blue: a distance that has just fallen", color=COBALT, fontsize=11.5)
    return figure


PICTURES = {
    "layers/windows-in-any-dimension/windows": windows,
    "data/filters-on-bytes/prefixes": prefixes,
    "tensors/products-with-structure/packed": packed,
    "tensors/orders-and-prefixes/doubled": doubled,
    "tensors/paths-in-a-graph/rounds": rounds,
}
