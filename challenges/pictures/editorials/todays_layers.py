"""Editorials on today's layers: tables of places, routes of tokens, blocks of a mask, and steps that are combined."""

import torch
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

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
    arrow,
    board,
    canvas,
    cells,
    write,
)


def tables() -> Figure:
    """Four tables of all pairs of a column and a row: a band, a prefix, shifted places, and equal tokens."""
    figure = canvas(560, 256)
    axes = board(figure)
    i, j = torch.arange(5)[:, None], torch.arange(5)
    ids = torch.tensor([4, 7, 4, 7, 7])
    lengths = torch.tensor([0, 3, 5, 1, 2])
    grids = (
        ("0 ≤ i − j < 2", (i - j >= 0) & (i - j < 2), "band"),
        ("j < lengths[i]", j < lengths[:, None], "prefix_mask"),
        ("(j − i) mod 5", (j - i) % 5, "circulant"),
        ("ids[i] = ids[j]", ids[:, None] == ids, "same_token"),
    )
    for n, (says, grid, name) in enumerate(grids):
        left = 24 + 134 * n
        truth = grid.dtype == torch.bool
        values = [["" if truth else int(v) for v in row] for row in grid.tolist()]
        fills = [
            [(MIST if v else PANEL) if truth else (SAND if v == 0 else PANEL) for v in row] for row in grid.tolist()
        ]
        cells(axes, (left, 78), values, fills, 22)
        write(axes, left, 38, name, family="monospace", fontsize=11.5)
        write(axes, left, 60, says, color=COBALT, fontsize=11.5)
    write(
        axes,
        24,
        220,
        "the index i is a column, the index j a row: broadcasting makes the table of all pairs",
        color=SOFT,
        fontsize=11.5,
    )
    return figure


def seats() -> Figure:
    """Six tokens and three experts with two choices each and a capacity of three: who is served, and in which order."""
    figure = canvas(560, 300)
    axes = board(figure)
    torch.manual_seed(3)
    capacity, size = 3, 34
    p = (1.4 * torch.randn(6, 3) + torch.tensor([1.0, 0.0, 0.0])).softmax(-1)
    chosen = p.topk(2, dim=-1).indices
    seat = torch.zeros(6, 3, dtype=torch.int64)
    for e in range(3):
        slot, token = (chosen.T == e).nonzero(as_tuple=True)
        seat[token, e] = torch.arange(1, len(slot) + 1)
    kept = (seat > 0) & (seat <= capacity)
    values = [[s if s else "" for s in row] for row in seat.tolist()]
    fills = []
    for t in range(6):
        row = []
        for e in range(3):
            first = chosen[t, 0] == e
            row.append(PANEL if seat[t, e] == 0 else ROSE if not kept[t, e] else MARIGOLD if first else SAND)
        fills.append(row)
    cells(axes, (110, 66), values, fills, size)
    for e in range(3):
        write(axes, 110 + size * (e + 0.5), 52, "ABC"[e], ha="center", color=SOFT)
    for t in range(6):
        write(axes, 98, 66 + size * (t + 0.5), f"token {t}", ha="right", color=SOFT, fontsize=11.5)
    write(
        axes,
        250,
        92,
        "numbers: the order in which an expert\nis asked. All first choices come before\nall second choices",
        color=SOFT,
        fontsize=11.5,
    )
    write(axes, 250, 152, "dark amber: a first choice, served", color=AMBER, fontsize=11.5)
    write(axes, 250, 178, "light amber: a second choice, served", color=AMBER, fontsize=11.5)
    dropped = int((seat > capacity).sum())
    write(
        axes,
        250,
        204,
        f"red: dropped, {dropped} of 12. They still\ncount in the balance loss",
        color=RED,
        fontsize=11.5,
        va="top",
    )
    return figure


def skipped() -> Figure:
    """Twelve queries and keys in blocks of three under a causal mask: blocks that are whole, cut, and left out."""
    figure = canvas(560, 318)
    axes = board(figure)
    T, block, size = 12, 3, 20
    seen = torch.ones(T, T, dtype=torch.bool).tril()
    parts = seen.unflatten(0, (-1, block)).unflatten(2, (-1, block)).transpose(1, 2)  # type: ignore[no-untyped-call]
    whole, some = parts.flatten(2).all(2), parts.flatten(2).any(2)
    fills = [[PANEL] * T for _ in range(T)]
    for q in range(T):
        for k in range(T):
            if seen[q, k]:
                fills[q][k] = MIST if whole[q // block, k // block] else SAND
    cells(axes, (46, 56), [[""] * T] * T, fills, size)
    for n in range(0, T + 1, block):
        axes.plot([46, 46 + T * size], [56 + n * size] * 2, color=SOFT, lw=1.6, zorder=7)
        axes.plot([46 + n * size] * 2, [56, 56 + T * size], color=SOFT, lw=1.6, zorder=7)
    write(axes, 46, 36, "keys →", color=SOFT, fontsize=11.5)
    write(axes, 318, 90, f"blue: {int(whole.sum())} blocks without a mask", color=COBALT, fontsize=11.5)
    write(
        axes,
        318,
        122,
        f"amber: {int((some & ~whole).sum())} blocks on the diagonal,\ncompared position by position",
        color=AMBER,
        fontsize=11.5,
        va="top",
    )
    write(
        axes,
        318,
        180,
        f"white: {int((~some).sum())} blocks that nobody\nhas to compute",
        color=SOFT,
        fontsize=11.5,
        va="top",
    )
    write(axes, 318, 240, "in memory at any time: the scores\nof one column of blocks", fontsize=11.5, va="top")
    return figure


def chunks() -> Figure:
    """Nine tokens in chunks of three: what comes through the triangle inside a chunk, and what through the state."""
    figure = canvas(560, 288)
    axes = board(figure)
    T, c, size = 9, 3, 24
    n = torch.arange(T)
    past, same = n <= n[:, None], n // c == n[:, None] // c
    fills = [
        [(SAND if s else MIST) if p else PANEL for p, s in zip(*rows, strict=True)]
        for rows in zip(past.tolist(), same.tolist(), strict=True)
    ]
    cells(axes, (48, 54), [[""] * T] * T, fills, size)
    for k in range(1, T // c):
        axes.plot([48, 48 + k * c * size], [54 + k * c * size] * 2, color=COBALT, lw=2.4, zorder=7)
    write(axes, 48, 36, "keys →", color=SOFT, fontsize=11.5)
    inside, through = int((past & same).sum()), int((past & ~same).sum())
    write(
        axes,
        300,
        96,
        f"amber: {inside} pairs, computed as a\nmasked product inside a chunk",
        color=AMBER,
        fontsize=11.5,
    )
    write(
        axes,
        300,
        152,
        f"light blue: {through} pairs that nobody\ncomputes. They come as one product\nof queries and the state",
        color=COBALT,
        fontsize=11.5,
    )
    write(axes, 300, 212, "blue lines: the state is handed on\nafter it has been used", color=COBALT, fontsize=11.5)
    return figure


def doubling() -> Figure:
    """A scan over eight steps: which steps each position has combined at the start, and after each of three rounds."""
    figure = canvas(560, 286)
    axes = board(figure)
    T, size, left = 8, 52, 98
    first, fills = torch.arange(T), (PANEL, MIST, SAND, LEAF)
    for r in range(4):
        y = 52 + 58 * r
        row = [str(t) if first[t] == t else f"{first[t]}–{t}" for t in range(T)]
        for t in range(T):
            axes.add_patch(
                FancyBboxPatch(
                    (left + size * t + 3, y),
                    size - 8,
                    28,
                    boxstyle="round,pad=0,rounding_size=4",
                    fc=fills[r],
                    ec="#a9a294",
                    lw=0.8,
                )
            )
            write(axes, left + size * (t + 0.5) - 1, y + 14, row[t], ha="center", fontsize=11.5)
        write(axes, left - 12, y + 14, ("steps", "gap 1", "gap 2", "gap 4")[r], ha="right", color=SOFT)
        if r < 3:
            gap = 2**r
            for t in range(gap, T):
                arrow(
                    axes,
                    (left + size * (t - gap + 0.5), y + 29),
                    (left + size * (t + 0.5) - 3, y + 57),
                    COBALT,
                    lw=1.0,
                    mutation_scale=8,
                )
            first = torch.cat([first[:gap], first[:-gap]])
    write(
        axes,
        left,
        270,
        "each box is combined with the one that ends where it begins",
        color=SOFT,
        fontsize=11.5,
    )
    return figure


def thirds() -> Figure:
    """The rows of a joint projection for two heads of width two: as this family stores them, and interleaved by head."""
    figure = canvas(560, 250)
    axes = board(figure)
    heads, width, size = 2, 2, 34
    rows = torch.arange(3 * heads * width)
    grouped = rows.view(3, heads, width)
    ways = (
        (62, "chunk(3), then heads", COBALT, grouped),
        (158, "heads, then chunk(3)", RED, rows.view(heads, 3, width).transpose(0, 1)),
    )
    for top, title, color, split in ways:
        owner = {
            int(split[part, head, f]): (part, head) for part in range(3) for head in range(heads) for f in range(width)
        }
        names = [f"{'qkv'[owner[r][0]]}{'₀₁'[owner[r][1]]}" for r in rows.tolist()]
        write(axes, 34, top - 18, title, family="monospace", color=color, fontsize=11.5)
        cells(axes, (34, top), [names], [[(MIST, SAND, LEAF)[owner[r][0]] for r in rows.tolist()]], size)
    write(
        axes,
        34,
        222,
        "twelve rows of one matrix: blue are queries, amber keys, green values",
        color=SOFT,
        fontsize=11.5,
    )
    write(axes, 456, 79, "GPT-2", color=COBALT)
    write(axes, 456, 175, "other models", color=RED)
    return figure


def stream() -> Figure:
    """A block as a stream to which two branches add, each behind a norm of its own."""
    figure = canvas(560, 230)
    axes = board(figure)
    y, high = 170, 78
    arrow(axes, (30, y), (530, y), COBALT, lw=3, mutation_scale=16)
    for start, name in ((70, "attention"), (296, "GELU MLP")):
        axes.plot([start, start], [y, high], color=SOFT, lw=1.6)
        arrow(axes, (start, high), (start + 22, high))
        for x, text, wide, fill in ((start + 22, "norm", 54, SAND), (start + 92, name, 82, MIST)):
            axes.add_patch(
                FancyBboxPatch(
                    (x, high - 17), wide, 34, boxstyle="round,pad=0,rounding_size=5", fc=fill, ec="#a9a294", lw=0.8
                )
            )
            write(axes, x + wide / 2, high, text, ha="center", fontsize=11.5)
        arrow(axes, (start + 76, high), (start + 92, high))
        axes.plot([start + 174, start + 190], [high, high], color=SOFT, lw=1.6)
        arrow(axes, (start + 190, high), (start + 190, y - 11))
        axes.plot(start + 190, y, "o", ms=17, mfc=PANEL, mec=COBALT, mew=1.8, zorder=8)
        write(axes, start + 190, y, "+", ha="center", color=COBALT, zorder=9)
    write(axes, 30, 196, "the stream: nothing is overwritten, each branch adds", color=COBALT, fontsize=11.5)
    write(axes, 296, 40, "reads the new sum", color=SOFT, fontsize=11.5)
    return figure


PICTURES = {
    "tensors/tensor-puzzles-twenty/tables": tables,
    "architectures/moe-top-k-routing/seats": seats,
    "architectures/blockwise-attention/skipped": skipped,
    "architectures/linear-attention/chunks": chunks,
    "architectures/selective-scan/doubling": doubling,
    "gpt/gpt-attention/thirds": thirds,
    "gpt/gpt-block/stream": stream,
}
