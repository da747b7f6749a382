"""Editorials on serving: where a token lies in a cache, how old it is there, and which requests share a step."""

import torch
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

F64 = torch.float64


def ring() -> Figure:
    """The positions in the four slots of a ring after each of nine tokens; the newest is amber."""
    figure = canvas(560, 270)
    axes = board(figure)
    window, size = 4, 38
    slots = torch.full((window,), -1)
    for token in range(9):
        slots[token % window] = token
        x = 100 + (size + 8) * token
        column = [["" if p < 0 else p] for p in slots.tolist()]
        cells(
            axes,
            (x, 72),
            column,
            [[MARIGOLD if p == token else PANEL if p < 0 else MIST] for p in slots.tolist()],
            size,
        )
        write(axes, x + size / 2, 54, str(token), ha="center", color=SOFT)
    write(axes, 88, 54, "token", ha="right", color=SOFT)
    for slot in range(window):
        write(axes, 88, 72 + size * (slot + 0.5), f"slot {slot}", ha="right", color=SOFT)
    write(
        axes,
        100,
        242,
        "numbers: positions. Token 8 overwrites token 4, which is exactly W = 4 older",
        color=COBALT,
        fontsize=11.5,
    )
    return figure


def blocks() -> Figure:
    """Two sequences after a fork and one append each: their tables, and the pool with the number of holders of each block."""
    figure = canvas(560, 300)
    axes = board(figure)
    size, left = 4, 190
    tables = {"parent": ([2, 0, 4], 10), "fork": ([2, 0, 1], 10)}
    pool = torch.full((6, size), -1)
    holders = torch.zeros(6, dtype=torch.int64)
    for table, length in tables.values():
        for position in range(length):
            pool[table[position // size], position % size] = position
        holders[table] += 1
    for block in range(6):
        y = 44 + 38 * block
        shared = holders[block] > 1
        fill = MIST if shared else SAND if holders[block] else PANEL
        row = ["" if p < 0 else p for p in pool[block].tolist()]
        cells(axes, (left + 60, y), [row], [[fill if p != "" else PANEL for p in row]], 32)
        write(axes, left + 50, y + 16, f"block {block}", ha="right", color=SOFT, fontsize=11.5)
        says = ("free", "one holder", "two holders")[int(holders[block])]
        write(
            axes,
            left + 60 + 32 * size + 10,
            y + 16,
            says,
            color=(SOFT, AMBER, COBALT)[int(holders[block])],
            fontsize=11.5,
        )
    for x, (name, (table, _)), color in zip((34, 92), tables.items(), (COBALT, AMBER), strict=True):
        write(axes, x + 18, 56, name, ha="center", color=color, fontsize=11.5)
        cells(axes, (x, 70), [[b] for b in table], [[MIST if holders[b] > 1 else SAND] for b in table], 36)
    write(axes, 34, 204, "tables: one entry\nfor every 4 positions", color=SOFT, fontsize=11.5)
    write(axes, 34, 252, "the last block was copied\nby the first of both to write", color=AMBER, fontsize=11.5)
    return figure


def steps() -> Figure:
    """Five requests in three slots: a batch that stays together, and one that can change in each step."""
    figure = canvas(560, 296)
    axes = board(figure)
    lengths, slots, size = torch.tensor([3, 9, 4, 5, 4]).tolist(), 3, 26
    colors = (MIST, SAND, LEAF, ROSE, "#e2d8f3")
    static: list[list[int]] = [[] for _ in range(slots)]
    for start in range(0, len(lengths), slots):
        group = range(start, min(start + slots, len(lengths)))
        longest = max(lengths[r] for r in group)
        for slot in range(slots):
            r = start + slot
            static[slot] += [r] * lengths[r] + [-1] * (longest - lengths[r]) if r in group else [-1] * longest
    running: list[list[int]] = [[] for _ in range(slots)]
    for r, length in enumerate(lengths):
        slot = min(range(slots), key=lambda s: len(running[s]))
        running[slot] += [r] * length
    width = len(static[0])
    for top, title, rows, color in (
        (64, "the batch stays together", static, RED),
        (196, "continuous", running, COBALT),
    ):
        filled = [row + [-1] * (width - len(row)) for row in rows]
        last = max(t for row in filled for t, r in enumerate(row) if r >= 0) + 1
        idle = sum(r < 0 for row in filled for r in row[:last])
        write(axes, 92, top - 20, f"{title}: {last} steps, {idle} places idle", color=color, fontsize=12)
        values = [["" if r < 0 else r for r in row] for row in filled]
        cells(axes, (92, top), values, [[PANEL if r < 0 else colors[r] for r in row] for row in filled], size)
        for slot in range(slots):
            write(axes, 82, top + size * (slot + 0.5), f"slot {slot}", ha="right", color=SOFT, fontsize=11.5)
    return figure


def ages() -> Figure:
    """Which tokens each of nine queries sees with two sinks and a window of three, and their positions in the cache."""
    figure = canvas(560, 326)
    axes = board(figure)
    n, sinks, window, size = torch.arange(9), 2, 3, 26
    seen = (n <= n[:, None]) & ((n < sinks) | (n > n[:, None] - window))
    places = seen.cumsum(1) - 1
    values = [
        [p if s else "" for p, s in zip(*rows, strict=True)]
        for rows in zip(places.tolist(), seen.tolist(), strict=True)
    ]
    fills = [[(SAND if k < sinks else MIST) if s else PANEL for k, s in enumerate(row)] for row in seen.tolist()]
    cells(axes, (76, 66), values, fills, size)
    for t in range(9):
        write(axes, 64, 66 + size * (t + 0.5), str(t), ha="right", color=SOFT, fontsize=11.5)
        write(axes, 76 + size * (t + 0.5), 54, str(t), ha="center", color=SOFT, fontsize=11.5)
    write(axes, 76, 34, "keys, in the text", color=SOFT, fontsize=11.5)
    write(axes, 336, 96, "numbers: positions in the cache", fontsize=11.5)
    write(axes, 336, 140, "amber: the sinks. From query 4 on\ntheir distance stands still", color=AMBER, fontsize=11.5)
    write(axes, 336, 196, "blue: the window. Its distances\nare those of the text", color=COBALT, fontsize=11.5)
    write(axes, 336, 252, "a key keeps no position: it moves\nup when another one leaves", color=SOFT, fontsize=11.5)
    return figure


def absorbed() -> Figure:
    """The tensors of one step, drawn to scale: keys of all heads from the latents, or queries that meet the latents."""
    figure = canvas(560, 300)
    axes = board(figure)
    H, e, c, S = 4, 4, 6, 14
    shapes = {
        "latents": torch.zeros(S, c),
        "keys": torch.zeros(S, H * e),
        "query": torch.zeros(H, e),
        "wide": torch.zeros(H, c),
    }
    unit = 9

    def box(x: float, y: float, name: str, fill: str, text: str, color: str) -> None:
        rows, columns = shapes[name].shape
        cells(axes, (x, y), [[""] * columns] * rows, [[fill] * columns] * rows, unit)
        write(axes, x, y - 12, text, color=color, fontsize=11.5)

    for left, title, color in ((34, "expanded", RED), (320, "absorbed", COBALT)):
        write(axes, left, 36, title, color=color, weight="bold")
        box(left, 110, "latents", MIST, "z, cached", SOFT)
    box(140, 110, "keys", ROSE, "keys of all heads", RED)
    arrow(axes, (92, 172), (136, 172), RED)
    write(axes, 96, 158, "K z", color=RED, fontsize=11.5)
    box(140, 52, "query", SAND, "", AMBER)
    write(axes, 186, 68, "q", color=AMBER, fontsize=11.5)
    box(430, 64, "query", SAND, "", AMBER)
    write(axes, 476, 80, "q", color=AMBER, fontsize=11.5)
    arrow(axes, (448, 104), (448, 136), COBALT)
    write(axes, 458, 120, "Kᵀ q", color=COBALT, fontsize=11.5)
    box(430, 142, "wide", SAND, "", AMBER)
    arrow(axes, (426, 160), (378, 160), COBALT)
    write(axes, 390, 200, "scores with\nthe latents", color=COBALT, fontsize=11.5)
    sizes = {name: x.numel() for name, x in shapes.items()}
    write(axes, 34, 264, f"{sizes['keys']} numbers, growing with the cache", color=RED, fontsize=11.5)
    write(axes, 320, 264, f"{sizes['wide']} numbers, whatever its length", color=COBALT, fontsize=11.5)
    return figure


def again() -> Figure:
    """The tokens that go through the model while seven are written: without a cache, and with one."""
    figure = canvas(560, 282)
    axes = board(figure)
    n, size = 7, 27
    computed = torch.ones(n, n, dtype=torch.bool).tril()
    ways = (
        (34, "without a cache", RED, ROSE, computed),
        (306, "with one", COBALT, MIST, computed & ~computed.tril(-1)),
    )
    for left, title, color, fill, done in ways:
        fills = [[fill if d else PANEL for d in row] for row in done.tolist()]
        kept = [
            ["·" if s and not d else "" for s, d in zip(*rows, strict=True)]
            for rows in zip(computed.tolist(), done.tolist(), strict=True)
        ]
        cells(axes, (left, 60), kept, fills, size)
        write(axes, left, 38, f"{title}: {int(done.sum())} tokens computed", color=color, fontsize=12)
    write(axes, 306, 264, "dots: keys and values that are kept", color=SOFT, fontsize=11.5)
    write(axes, 34, 264, "a row is a step", color=SOFT, fontsize=11.5)
    return figure


def tokens() -> Figure:
    """The error of int8 levels in each token of a cache whose first token is a giant: one scale for all, and one each."""
    figure = canvas(560, 276)
    torch.manual_seed(1)
    keys = torch.randn(8, 64, dtype=F64)
    keys[0] *= 60
    axes = plot(figure, 62, 54, 330, 192)
    for top, shift, color in ((keys.abs().amax(), -0.2, RED), (keys.abs().amax(1, keepdim=True), 0.2, COBALT)):
        step = top / 127
        error = ((keys / step).round() * step - keys).square().mean(1).sqrt() / keys.square().mean(1).sqrt()
        axes.bar([t + shift for t in range(8)], (100 * error).tolist(), width=0.36, color=color)
    axes.set(yscale="log", xlim=(-0.6, 7.6), ylim=(0.2, 200), xlabel="token", ylabel="error, % of the token")
    axes.set_yticks([1, 10, 100], ["1", "10", "100"])
    ticks(axes, range(8))
    axes.grid(visible=False, axis="x")
    write(axes, 7.85, 70, "one scale for\nthe whole cache", color=RED, clip_on=False)
    write(axes, 7.85, 1.0, "one scale\nfor each token", color=COBALT, clip_on=False)
    return figure


PICTURES = {
    "decoding/sliding-window-ring-cache/ring": ring,
    "decoding/paged-kv-cache/blocks": blocks,
    "decoding/continuous-batching/steps": steps,
    "decoding/attention-sinks/ages": ages,
    "architectures/latent-attention/absorbed": absorbed,
    "gpt/gpt-cache/again": again,
    "gpt/gpt-quantized-cache/tokens": tokens,
}
