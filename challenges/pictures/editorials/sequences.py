"""Editorials on sequences: which numbers belong to which head, token, pair, position, layer or step."""

import torch
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from torch import Tensor

from challenges.pictures.style import (
    AMBER,
    COBALT,
    LEAF,
    LINE,
    MARIGOLD,
    MIST,
    PANEL,
    RED,
    ROSE,
    SAND,
    SOFT,
    arrow,
    board,
    canvas,
    cells,
    write,
)


def cut() -> Figure:
    """Three tokens of six features, cut into two heads by an axis that moves, and by a view that only looks alike."""
    figure = canvas(560, 286)
    axes = board(figure)
    tokens, heads, width = 3, 2, 3
    x = torch.arange(tokens * heads * width).view(tokens, heads * width)

    def fills(grid: Tensor) -> list[list[str]]:
        return [[(MIST, SAND)[int(n) % (heads * width) // width] for n in row] for row in grid]

    cells(axes, (30, 106), x.tolist(), fills(x), 27)
    write(axes, 30, 62, "q", weight="bold")
    write(axes, 30, 84, "a row is a token", color=SOFT, fontsize=11.5)
    write(axes, 30, 206, "blue: features of head 0", color=COBALT, fontsize=11.5)
    write(axes, 30, 225, "amber: features of head 1", color=AMBER, fontsize=11.5)
    ways = (
        (40, "view(T, H, e).transpose(0, 1)", COBALT, x.view(tokens, heads, width).transpose(0, 1)),
        (166, "view(H, T, e)", RED, x.view(heads, tokens, width)),
    )
    for top, title, color, split in ways:
        write(axes, 252, top - 8, title, family="monospace", color=color, fontsize=11.5)
        for head, grid in enumerate(split):
            cells(axes, (252 + 104 * head, top + 6), grid.tolist(), fills(grid), 27)
    write(axes, 452, 80, "head by head,\nall tokens", color=COBALT, fontsize=11.5)
    write(axes, 452, 206, "the same shape,\ntokens mixed", color=RED, fontsize=11.5)
    return figure


def offset() -> Figure:
    """Three new tokens beside four cached ones: the triangle that belongs there, and the one of is_causal."""
    figure = canvas(560, 236)
    axes = board(figure)
    past, new, size = 4, 3, 30
    ways = ((32, past, "tril(past)", COBALT), (308, 0, "is_causal=True", RED))
    for left, diagonal, title, color in ways:
        allowed = torch.ones(new, past + new, dtype=torch.bool).tril(diagonal)
        fills = [[(MIST if color == COBALT else ROSE) if seen else PANEL for seen in row] for row in allowed.tolist()]
        cells(axes, (left, 96), [[""] * (past + new)] * new, fills, size)
        write(axes, left, 36, title, family="monospace", color=color)
        for start, stop, what in ((0, past, "cached"), (past, past + new, "new")):
            axes.plot([left + size * start + 3, left + size * stop - 3], [84, 84], color=SOFT, lw=1.2)
            write(axes, left + size * (start + stop) / 2, 70, what, color=SOFT, ha="center", fontsize=11.5)
        seen = ", ".join(str(int(n)) for n in allowed.sum(1))
        write(axes, left, 206, f"keys seen by each query: {seen}", color=color, fontsize=11.5)
    return figure


def pairings() -> Figure:
    """Which features of a vector of eight turn together, in both conventions."""
    figure = canvas(560, 254)
    axes = board(figure)
    d, size = 8, 38
    colours = (MIST, SAND, LEAF, ROSE)
    index = torch.arange(d)
    rows = (
        (88, "half-split", torch.stack(index.chunk(2, -1), -1)),
        (196, "interleaved", torch.stack([index[0::2], index[1::2]], -1)),
    )
    for top, title, pairs in rows:
        of = {int(feature): i for i, pair in enumerate(pairs) for feature in pair}
        write(axes, 32, top + size / 2, title, weight="bold")
        cells(axes, (150, top), [list(range(d))], [[colours[of[f]] for f in range(d)]], size)
        for first, second in pairs.tolist():
            ends = [(150 + size * (f + 0.5), top - 3) for f in (first, second)]
            bow = -0.2 if second - first > 1 else -0.55
            arc = FancyArrowPatch(*ends, arrowstyle="-", connectionstyle=f"arc3,rad={bow}", color=SOFT, lw=1.3)
            axes.add_patch(arc)
    write(axes, 470, 88 + size / 2, "i, i + d/2", family="monospace", color=COBALT, fontsize=11.5)
    write(axes, 470, 196 + size / 2, "2i, 2i + 1", family="monospace", color=COBALT, fontsize=11.5)
    write(axes, 32, 30, "features of one colour are a pair, and turn by one angle", color=SOFT, fontsize=11.5)
    return figure


def sharing() -> Figure:
    """The key head that each of eight query heads reads, as checkpoints store it and the other way round."""
    figure = canvas(560, 232)
    axes = board(figure)
    heads, groups, size = 8, 2, 28
    ways = (
        (28, "h // 4", COBALT, torch.arange(groups).repeat_interleave(heads // groups), "neighbours share"),
        (308, "h % 2", RED, torch.arange(groups).repeat(heads // groups), "right shapes, another model"),
    )
    for left, title, color, owner, says in ways:
        write(axes, left, 36, title, family="monospace", color=color)
        write(axes, left + 66, 36, says, color=color, fontsize=11.5)
        centres = [left + heads * size * (2 * g + 1) / (2 * groups) for g in range(groups)]
        for head, group in enumerate(owner.tolist()):
            axes.plot([left + size * (head + 0.5), centres[group]], [86, 140], color=LINE if color == COBALT else ROSE)
        cells(axes, (left, 58), [list(range(heads))], [[(MIST, SAND)[g] for g in owner.tolist()]], size)
        for group, centre in enumerate(centres):
            axes.add_patch(Rectangle((centre - 30, 140), 60, size, fc=(COBALT, MARIGOLD)[group], ec="#a9a294", lw=0.8))
            write(axes, centre, 154, f"k, v {group}", ha="center", color=("#ffffff", "#1d1b18")[group], fontsize=11.5)
    write(axes, 28, 202, "above: query heads 0 to 7.  Below: the two heads of the cache", color=SOFT, fontsize=11.5)
    return figure


def results() -> Figure:
    """Three layers over five steps: what `output` holds, what `h_n` holds, and the state that is in both."""
    figure = canvas(560, 300)
    axes = board(figure)
    layers, steps, width, height = 3, 5, 62, 44
    left, top = 126, 74
    for layer in range(layers):
        y = top + (layers - 1 - layer) * 62
        write(
            axes, left - 30, y + height / 2, f"h0[{layer}]", ha="right", family="monospace", color=SOFT, fontsize=11.5
        )
        for t in range(steps):
            x = left + 74 * t
            fill = PANEL
            if layer == layers - 1:
                fill = MIST
            if t == steps - 1:
                fill = MARIGOLD if layer == layers - 1 else SAND
            axes.add_patch(_box(x, y, width, height, fill))
            write(axes, x + width / 2, y + height / 2, f"h{'¹²³'[layer]}{'₁₂₃₄₅'[t]}", ha="center")
            arrow(axes, (x - 14 if t else x - 24, y + height / 2), (x - 1, y + height / 2), lw=1.1, mutation_scale=8)
            arrow(axes, (x + width / 2, y + 61), (x + width / 2, y + height + 1), lw=1.1, mutation_scale=8)
            if not layer:
                write(axes, x + width / 2, y + 73, f"x{'₁₂₃₄₅'[t]}", ha="center", color=SOFT)
    write(axes, left, 40, "output: the last layer, all steps", color=COBALT)
    write(axes, left + 74 * steps - 12, 40, "h_n: all layers, last step", color=AMBER, ha="right")
    return figure


def _box(x: float, y: float, width: float, height: float, fill: str) -> FancyBboxPatch:
    return FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=5", fc=fill, ec="#a9a294", lw=0.8)


PICTURES = {
    "architectures/multi-head-attention/cut": cut,
    "architectures/kv-cache/offset": offset,
    "architectures/rotary-position-embedding/pairings": pairings,
    "architectures/grouped-query-attention/sharing": sharing,
    "architectures/rnn-by-hand/results": results,
}
