"""Editorials on decoding: which prefixes survive, which pairs are merged, and where the probability of a token comes from."""

from collections import Counter
from itertools import pairwise

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from challenges.pictures.style import (
    AMBER,
    COBALT,
    LINE,
    MARIGOLD,
    MIST,
    PANEL,
    RED,
    SAND,
    SOFT,
    arrow,
    board,
    canvas,
    cells,
    heading,
    plot,
    ticks,
    write,
)

F64 = torch.float64
EDGE = "#a9a294"


def tree() -> Figure:
    """The example's search with a beam of two: each prefix with its score; the ones that are kept are filled."""
    figure = canvas(560, 288)
    axes = board(figure)
    rows = torch.tensor([[-1.0, -1.5, -9.0], [-9.0, -3.0, -0.25]], dtype=F64)
    first = rows[0]
    second = first[:2, None] + rows
    columns = (
        (200, [((i,), first[i].item()) for i in range(3)]),
        (392, [((i, j), second[i, j].item()) for i in range(2) for j in range(3)]),
    )
    places: dict[tuple[int, ...], tuple[float, float]] = {(): (60.0, 152.0)}
    for x, nodes in columns:
        kept = sorted(nodes, key=lambda node: (-node[1], node[0]))[:2]
        for n, (tokens, score) in enumerate(nodes):
            y = 80 + 72 * n if len(tokens) == 1 else 46 + 41 * n
            places[tokens] = (x, y)
            alive = (tokens, score) in kept
            start = places[tokens[:-1]]
            arrow(axes, (start[0] + 46, start[1]), (x - 46, y), COBALT if alive else LINE)
            greedy = tokens in ((0,), (0, 0))
            fill = MIST if alive else PANEL
            axes.add_patch(
                Rectangle((x - 45, y - 15), 90, 30, fc=fill, ec=AMBER if greedy else EDGE, lw=1.8 if greedy else 0.8)
            )
            text = f"{' '.join(map(str, tokens))}:  {score:g}".replace("-", "−")
            write(axes, x, y, text, ha="center")
    axes.add_patch(Rectangle((15, 137), 90, 30, fc=PANEL, ec=EDGE, lw=0.8))
    write(axes, 60, 152, "prompt", ha="center", color=SOFT)
    write(axes, 452, 46 + 41 * 5, "best: −1.75", color=COBALT)
    write(axes, 452, 46, "greedy: −2", color=AMBER)
    write(axes, 20, 40, "blue: kept by a beam of 2", color=COBALT, fontsize=11.5)
    return figure


def penalties() -> Figure:
    """A logit before and after a repetition penalty of 2: divided by it, and by the rule that looks at the sign."""
    figure = canvas(560, 276)
    axes = plot(figure, 58, 54, 300, 194)
    z = torch.linspace(-4, 4, 201, dtype=F64)
    axes.plot(z, z, color=SOFT, lw=1.1, ls=(0, (4, 3)))
    axes.plot(z, z / 2, color=RED, lw=1.8)
    axes.plot(z, torch.where(z > 0, z / 2, z * 2), color=COBALT, lw=2.6)
    axes.set(xlim=(-4, 4), ylim=(-8, 4), xlabel="logit z of a token that has occurred", ylabel="after the penalty")
    ticks(axes, (-4, -2, 0, 2, 4), (-8, -4, 0, 4))
    write(axes, 4.3, 3.6, "dashed: no penalty", color=SOFT, clip_on=False)
    write(
        axes,
        4.3,
        0.6,
        "z / θ: above the dashed\nline for negative logits,\nso a repetition becomes\nlikelier",
        color=RED,
        clip_on=False,
    )
    write(axes, 4.3, -4.6, "z · θ below zero:\nnever above the line", color=COBALT, clip_on=False)
    return figure


def gap() -> Figure:
    """The example's target and draft: what is accepted of each token, and what a rejection has to bring."""
    figure = canvas(560, 280)
    p, q = torch.tensor([0.4, 0.3, 0.2, 0.1]).double(), torch.tensor([0.1, 0.2, 0.2, 0.5]).double()
    shares = torch.minimum(p, q), (p - q).clamp(min=0), (q - p).clamp(min=0)
    accepted, missing, refused = (each.tolist() for each in shares)
    axes = plot(figure, 58, 54, 320, 196)
    at = list(range(4))
    axes.bar(at, accepted, 0.6, color=MIST, ec=EDGE, lw=0.8)
    axes.bar(at, missing, 0.6, bottom=accepted, color=COBALT, ec=EDGE, lw=0.8)
    axes.bar(at, refused, 0.6, bottom=accepted, color="none", ec=RED, lw=1.4, ls=(0, (3, 2)))
    axes.set(xlim=(-0.6, 3.6), ylim=(0, 0.56), xlabel="token", ylabel="probability")
    axes.grid(visible=False, axis="x")
    ticks(axes, range(4), (0, 0.2, 0.4))
    for y, color, text in (
        (0.44, RED, f"dashed: rejected, {sum(refused):.1f} in all"),
        (0.33, COBALT, f"blue: missing, {sum(missing):.1f} in all.\nA rejection draws from\nthese two tokens"),
        (0.16, SOFT, "light: proposed\nand accepted, min(p, q)"),
    ):
        write(axes, 3.75, y, text, color=color, fontsize=11.5, clip_on=False)
    return figure


def replaced(ids: list[int], pair: tuple[int, int], new: int) -> list[int]:
    out: list[int] = []
    i = 0
    while i < len(ids):
        found = tuple(ids[i : i + 2]) == pair
        out.append(new if found else ids[i])
        i += 2 if found else 1
    return out


def merges() -> Figure:
    """A text of eleven letters during training: after each merge, every token is one box over the letters that it holds."""
    figure = canvas(560, 246)
    axes = board(figure)
    ids, held = list(b"aaabdaaabac"), {i: chr(i) for i in range(256)}
    width, left, colors = 34, 26, {256: MIST, 257: SAND, 258: "#d7ecd9"}
    for step in range(4):
        x, y = left, 58 + 46 * step
        for i in ids:
            wide = width * len(held[i])
            axes.add_patch(Rectangle((x, y), wide, 30, fc=colors.get(i, PANEL), ec=EDGE, lw=0.9))
            write(axes, x + wide / 2, y + 15, held[i], ha="center", family="monospace")
            x += wide
        counts = Counter(pairwise(ids))
        pair = min(counts, key=lambda p: (-counts[p], p))
        note = "" if step == 3 else f"“{held[pair[0]]}” + “{held[pair[1]]}”: {counts[pair]} times"
        write(axes, left + width * 11 + 12, y + 38, note, color=AMBER, fontsize=11.5)
        held[256 + step] = held[pair[0]] + held[pair[1]]
        ids = replaced(ids, pair, 256 + step)
    write(axes, left, 36, "overlapping pairs are counted each, and replaced from the left", color=SOFT, fontsize=11.5)
    return figure


def characters() -> Figure:
    """Characters, the bytes that encode them, and tokens that end in the middle of a character."""
    figure = canvas(560, 236)
    axes = board(figure)
    text, width, left = "né à", 64, 96
    data = text.encode()
    ends = torch.tensor([0, 2, 5, 6])
    x = left
    for character in text:
        wide = width * len(character.encode())
        axes.add_patch(Rectangle((x, 40), wide, 34, fc=PANEL, ec=EDGE, lw=0.9))
        write(axes, x + wide / 2, 57, character.replace(" ", "␣"), ha="center")
        x += wide
    cells(axes, (left, 90), [[f"{byte:02x}" for byte in data]], [[PANEL] * len(data)], width)
    for n, (start, end) in enumerate(pairwise(ends.tolist())):
        x, wide = left + width * start, width * (end - start)
        axes.add_patch(Rectangle((x, 170), wide, 34, fc=(MIST, SAND, MIST)[n], ec=EDGE, lw=0.9))
        write(axes, x + wide / 2, 187, repr(data[start:end].decode(errors="replace")), ha="center", color=RED)
    for y, name in ((57, "text"), (122, "bytes"), (187, "tokens")):
        write(axes, left - 14, y, name, color=SOFT, ha="right")
    write(axes, left, 218, "red: each token decoded alone", color=RED, fontsize=11.5)
    return figure


def glasses() -> Figure:
    """Four weights as water levels, and the alias table that fills every glass with at most two kinds of water."""
    figure = canvas(560, 282)
    colors = (COBALT, MARIGOLD, "#1f7a37", MIST)
    weights = torch.tensor([3.0, 1.0, 0.5, 3.5], dtype=F64)
    level = (weights / weights.sum() * 4).tolist()
    alias = list(range(4))
    small, large = [i for i in range(4) if level[i] < 1], [i for i in range(4) if level[i] >= 1]
    before = list(level)
    while small and large:
        needy, rich = small.pop(), large.pop()
        alias[needy] = rich
        level[rich] -= 1 - level[needy]
        (small if level[rich] < 1 else large).append(rich)
    for i in small + large:
        level[i] = 1.0
    for left, title in ((50, "weights, scaled to a mean of 1"), (320, "the table")):
        axes = plot(figure, left, 50, 200, 176)
        for i in range(4):
            low = before[i] if left < 100 else level[i]
            axes.bar(i, low, 0.66, color=colors[i], ec=EDGE, lw=0.8)
            if left > 100 and low < 1:
                axes.bar(i, 1 - low, 0.66, bottom=low, color=colors[alias[i]], ec=EDGE, lw=0.8)
                write(
                    axes, i, (1 + low) / 2, str(alias[i]), ha="center", color="#ffffff" if alias[i] == 0 else "#1d1b18"
                )
        axes.axhline(1, color=RED, lw=1.0, ls=(0, (4, 3)))
        axes.set(xlim=(-0.6, 3.6), ylim=(0, 1.9), xlabel="index" if left < 100 else "column")
        axes.grid(visible=False, axis="x")
        ticks(axes, range(4), (0, 1))
        heading(axes, title, SOFT)
    return figure


def choices() -> Figure:
    """Five scores as probabilities: at three temperatures, and after a top-k of 2."""
    figure = canvas(560, 268)
    scores = torch.tensor([2.0, 1.5, 0.5, 0.0, -1.0], dtype=F64)
    border = scores.topk(2).values[-1]
    for n, temperature in enumerate((0.5, 1.0, 2.0)):
        axes = plot(figure, 48 + 172 * n, 52, 146, 150)
        p = (scores / temperature).softmax(0)
        cut = (scores / temperature).masked_fill(scores < border, -torch.inf).softmax(0)
        axes.bar([i - 0.2 for i in range(5)], p.tolist(), 0.38, color=COBALT)
        axes.bar([i + 0.2 for i in range(5)], cut.tolist(), 0.38, color=MARIGOLD)
        axes.set(ylim=(0, 0.8), xlabel="token")
        axes.grid(visible=False, axis="x")
        ticks(axes, range(5), (0, 0.4, 0.8) if n == 0 else ())
        heading(axes, f"temperature {temperature:g}", SOFT)
    figure.text(0.56, 0.92, "blue: all tokens", color=COBALT, fontsize=11.5, ha="right")
    figure.text(0.6, 0.92, "amber: top-k of 2", color=AMBER, fontsize=11.5)
    return figure


PICTURES = {
    "decoding/beam-search/tree": tree,
    "decoding/logit-processors/penalties": penalties,
    "decoding/speculative-decoding/gap": gap,
    "decoding/byte-pair-encoding/merges": merges,
    "decoding/sampling-tricks/glasses": glasses,
    "gpt/gpt-tokenizer/characters": characters,
    "gpt/gpt-sampling/choices": choices,
}
