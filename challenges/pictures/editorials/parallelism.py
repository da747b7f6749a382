"""Editorials on training with many devices, and on steps of training: parts on their way, cuts, and what weighs how much."""

import torch
import torch.nn.functional as F
from matplotlib.colors import LinearSegmentedColormap, to_hex
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
    arrow,
    board,
    canvas,
    cells,
    plot,
    ticks,
    write,
)

DEEPER = LinearSegmentedColormap.from_list("summands", [PANEL, MIST, "#6786ea"])


def trips() -> Figure:
    """The number of summands in each part of each of four devices: at the start, and after each step of both trips."""
    figure = canvas(560, 288)
    axes = board(figure)
    n, size = 4, 24
    parts = torch.eye(n, dtype=torch.int64)[:, None].expand(n, n, n).clone()  # device, part, whose values are in it
    boards = [parts.sum(-1)]
    for t in range(2 * (n - 1)):
        sent = [(r, (r - t) % n, parts[r, (r - t) % n].clone()) for r in range(n)]
        for r, at, values in sent:
            to = (r + 1) % n
            parts[to, at] = parts[to, at] + values if t < n - 1 else values
        boards.append(parts.sum(-1))
    for step, counts in enumerate(boards):
        x = 86 + 120 * (step if step < 4 else step - 4) + (0 if step < 4 else 60)
        y = 52 if step < 4 else 176
        fills = [[to_hex(DEEPER((int(c) - 1) / (n - 1))) for c in row] for row in counts.tolist()]
        cells(axes, (x, y), counts.tolist(), fills, size)
        write(axes, x, y - 12, "start" if step == 0 else f"step {step}", color=SOFT, fontsize=11.5)
    write(axes, 20, 76, "first\ntrip:\nadd", color=COBALT, fontsize=11.5, va="top")
    write(axes, 20, 190, "second trip:\ncopy", color=AMBER, fontsize=11.5, va="top")
    write(axes, 20, 276 - 14, "rows: devices", color=SOFT, fontsize=11.5)
    return figure


def cuts() -> Figure:
    """The two matrices of an MLP on two ranks: the first is cut by rows, the second by columns, along the same hidden units."""
    figure = canvas(560, 276)
    axes = board(figure)
    hidden, d, size = torch.arange(6), 3, 26
    rank = (hidden // 3).tolist()
    fills = (MIST, SAND)
    cells(axes, (36, 116), [[""]] * d, [[PANEL]] * d, size)
    cells(axes, (116, 76), [[""] * d] * 6, [[fills[r]] * d for r in rank], size)
    cells(axes, (246, 76), [[""]] * 6, [[fills[r]] for r in rank], size)
    cells(axes, (322, 116), [[""] * 6] * d, [[fills[r] for r in rank]] * d, size)
    cells(axes, (514, 116), [[""]] * d, [[LEAF]] * d, size)
    for x, text in ((49, "x"), (155, "W₁"), (259, "h"), (400, "W₂"), (527, "y")):
        write(axes, x, 58, text, ha="center", weight="bold")
    for start, end in ((68, 110), (200, 240), (278, 316), (484, 508)):
        arrow(axes, (start, 155), (end, 155))
    write(axes, 300, 138, "relu", ha="center", color=SOFT, fontsize=11.5)
    write(axes, 116, 250, "rows: each hidden unit\nis complete on one rank", color=COBALT, fontsize=11.5)
    write(
        axes,
        322,
        222,
        "columns: each rank has\na share of every output,\nand one all-reduce adds them",
        color=AMBER,
        fontsize=11.5,
    )
    return figure


def whole() -> Figure:
    """Numbers of parameters on one rank during a step of six layers: all layers whole, and one at a time."""
    figure = canvas(560, 276)
    layers = torch.tensor([4.0, 6.0, 6.0, 6.0, 6.0, 4.0])
    ranks = 4
    order = [*range(6), *reversed(range(6))]
    sharded = layers.sum() / ranks + torch.stack([layers[i] * (1 - 1 / ranks) for i in order])
    kept, held = layers.sum() / ranks, []
    for t, i in enumerate(order):
        kept = kept + layers[i] * (1 - 1 / ranks) if t < 6 else kept
        held.append(float(kept))
        if t >= 6:
            kept = kept - layers[i] * (1 - 1 / ranks)
    axes = plot(figure, 58, 54, 322, 192)
    at = torch.arange(12)
    top = float(layers.sum())
    axes.step(at, torch.full((12,), 100.0), where="mid", color=SOFT, lw=2)
    axes.step(at, [100 * h / top for h in held], where="mid", color=AMBER, lw=2)
    axes.step(at, 100 * sharded / top, where="mid", color=COBALT, lw=2.6)
    axes.axvline(5.5, color=SOFT, lw=1.0, ls=(0, (4, 3)))
    axes.axhline(100 / ranks, color=COBALT, lw=1.0, ls=(0, (4, 3)))
    axes.set(
        xlim=(-0.5, 11.5),
        ylim=(0, 108),
        xlabel="layers: forward to the line, then backward",
        ylabel="% of the parameters",
    )
    axes.set_xticks(range(12), [str(i) for i in order])
    axes.grid(visible=False, axis="x")
    ticks(axes, None, (0, 25, 50, 100))
    write(axes, 11.8, 99, "replicated", color=SOFT, clip_on=False)
    write(axes, 11.8, 72, "gathered once,\nkept until the\nbackward pass", color=AMBER, clip_on=False)
    write(axes, 11.8, 32, "gathered, used,\nfreed. Dashed:\nthe own shard", color=COBALT, clip_on=False)
    return figure


def offsets() -> Figure:
    """The positions of a text that is embedded in pieces: with the offset of each piece, and without it."""
    figure = canvas(560, 222)
    axes = board(figure)
    size, left, pieces = 44, 110, (3, 2, 1, 1)
    right = torch.arange(sum(pieces)).split(pieces)  # type: ignore[no-untyped-call]
    wrong = [torch.arange(n) for n in pieces]
    words = ["the", "cat", "sat", "on", "a", "red", "mat"]
    fills = [(MIST, SAND, LEAF, ROSE)[n] for n, length in enumerate(pieces) for _ in range(length)]
    for top, name, row, color, back in (
        (44, "text", words, SOFT, fills),
        (100, "start = past", torch.cat(right).tolist(), COBALT, fills),
        (156, "start = 0", torch.cat(wrong).tolist(), RED, fills),
    ):
        write(axes, left - 12, top + size / 2, name, ha="right", color=color, fontsize=11.5)
        cells(axes, (left, top), [row], [back], size)
    write(axes, left + 7 * size + 12, 66, "four pieces", color=SOFT, fontsize=11.5)
    write(axes, left + 7 * size + 12, 122, "one place each", color=COBALT, fontsize=11.5)
    write(axes, left + 7 * size + 12, 178, "no error is raised", color=RED, fontsize=11.5)
    return figure


def weights() -> Figure:
    """What each token's loss weighs: in the mean over all tokens that count, and in the mean of the means of the rows."""
    figure = canvas(560, 236)
    axes = board(figure)
    count = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 0, 0, 0, 0]], dtype=torch.bool)
    target = torch.where(count, 0, -100)
    size = 40
    ways = []
    for by_row in (False, True):
        scores = torch.zeros(2, 6, 2, requires_grad=True)
        if by_row:
            loss = torch.stack(
                [F.cross_entropy(s, t, ignore_index=-100) for s, t in zip(scores, target, strict=True)]
            ).mean()
        else:
            loss = F.cross_entropy(scores.flatten(0, 1), target.flatten(), ignore_index=-100)
        (slope,) = torch.autograd.grad(loss, scores)
        ways.append(slope[..., 1] * 2)
    for left, title, color, share in (
        (30, "mean over all tokens", COBALT, ways[0]),
        (302, "mean of the rows' means", RED, ways[1]),
    ):
        low, high = float(share[count].min()), float(share.max())
        values = [["" if v == 0 else f"1/{round(1 / v)}" for v in row] for row in share.tolist()]
        fills = [
            [PANEL if v == 0 else MARIGOLD if v > 1.5 * low else SAND if high > 1.5 * low else MIST for v in row]
            for row in share.tolist()
        ]
        cells(axes, (left, 72), values, fills, size - 2)
        write(axes, left, 50, title, color=color)
    write(axes, 30, 180, "each of the eight\ntokens weighs the same", color=COBALT, fontsize=11.5)
    write(axes, 302, 180, "a token of the short row weighs\nthree times as much", color=RED, fontsize=11.5)
    write(axes, 30, 216, "white: padding", color=SOFT, fontsize=11.5)
    return figure


PICTURES = {
    "parallelism/ring-all-reduce/trips": trips,
    "parallelism/tensor-parallel-mlp/cuts": cuts,
    "parallelism/fsdp-by-hand/whole": whole,
    "gpt/gpt-embedding/offsets": offsets,
    "gpt/gpt-training-step/weights": weights,
}
