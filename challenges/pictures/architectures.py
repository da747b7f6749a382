"""Architectures: attention, positions, caches, small updates, recurrent gradients, sampling."""

import torch
import torch.nn.functional as F
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor, nn

from challenges.pictures.style import (
    AMBER,
    COBALT,
    LINE,
    MARIGOLD,
    MIST,
    PANEL,
    RED,
    SAND,
    SKY,
    SOFT,
    arrow,
    board,
    canvas,
    heading,
    plot,
    ticks,
    write,
)

BLUES = LinearSegmentedColormap.from_list("cobalt", [PANEL, MIST, COBALT])


def causal() -> Figure:
    """The weights of eight positions over eight, without and with a causal mask."""
    figure = canvas(540, 296)
    torch.manual_seed(3)
    q, k = torch.randn(2, 8, 16, dtype=torch.float64)
    for i, (title, is_causal) in enumerate((("all keys", False), ("keys up to the query's own", True))):
        axes = plot(figure, 58 + 250 * i, 56, 190, 190)
        weights = F.scaled_dot_product_attention(1.6 * q, k, torch.eye(8, dtype=torch.float64), is_causal=is_causal)
        for t in range(8):
            for s in range(8):
                hidden = is_causal and s > t
                fill = "#efece5" if hidden else BLUES(min(1.0, float(weights[t, s]) / 0.75))
                axes.add_patch(Rectangle((s, t), 1, 1, fc=fill, ec=LINE, lw=0.6))
        axes.set(xlim=(0, 8), ylim=(8, 0), xlabel="key", ylabel="query" if not i else "")
        axes.grid(visible=False)
        axes.set_xticks([0.5, 7.5], ["1", "8"])
        axes.set_yticks([0.5, 7.5], ["1", "8"])
        heading(axes, title, COBALT)
        if is_causal:
            write(axes, 5.8, 2.1, "hidden:\nexactly 0", color=SOFT, ha="center", fontsize=11.5)
    return figure


def rotated() -> Figure:
    """One pair of a query, turned by its position, and the score of two positions: it depends on their distance alone."""
    figure = canvas(560, 286)
    pair, theta = torch.tensor([1.0, 0.0], dtype=torch.float64), 0.35
    axes = plot(figure, 26, 56, 216, 191)
    for position in range(7):
        angle = torch.tensor(position * theta, dtype=torch.float64)
        turn = torch.stack([torch.stack([angle.cos(), -angle.sin()]), torch.stack([angle.sin(), angle.cos()])])
        x, y = (turn @ pair).tolist()
        arrow(axes, (0, 0), (x, y), COBALT if position else AMBER, lw=1.8)
        write(axes, 1.14 * x, 1.14 * y, str(position), ha="center", color=SOFT, fontsize=11.5)
    axes.set(xlim=(-0.85, 1.3), ylim=(-0.4, 1.5), aspect="equal")
    axes.axis("off")
    heading(axes, "a pair at positions 0 to 6", COBALT)
    right = plot(figure, 300, 56, 226, 180)
    torch.manual_seed(1)
    d = 64
    frequencies = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    q = k = torch.ones(d // 2, dtype=torch.complex128)
    distances = torch.arange(0, 65)
    for start, color, width in ((0, MIST, 7.0), (1000, COBALT, 1.8)):
        at = torch.exp(1j * (start + distances)[:, None] * frequencies)
        own = torch.exp(1j * torch.tensor(float(start), dtype=torch.float64) * frequencies)
        right.plot(distances, ((q * at).conj() * (k * own)).real.sum(-1) / (d // 2), color=color, lw=width)
    right.set(xlim=(0, 64), ylim=(-0.05, 1.08), xlabel="distance between query and key")
    ticks(right, (0, 16, 32, 48, 64), (0, 0.5, 1))
    heading(right, "score of equal vectors, 64 wide", COBALT)
    write(right, 16, 0.86, "key at 0 (broad) and\nat 1000 (thin): the same", color=SOFT, fontsize=11.5)
    return figure


HEADS, LAYERS, WIDTH = 32, 32, 128


def growth() -> Figure:
    """The cache of one sequence in a model with 32 layers of 32 heads, 128 wide, in bfloat16."""
    figure = canvas(540, 290)
    axes = plot(figure, 58, 54, 352, 206)
    tokens = torch.arange(0, 33) * 1024
    for kv, label, color in (
        (32, "32 key heads:\n512 KiB a token", COBALT),
        (8, "8: 128 KiB", SKY),
        (1, "1: 16 KiB", AMBER),
    ):
        a_token = LAYERS * kv * WIDTH * 2 * torch.finfo(torch.bfloat16).bits // 8
        size = tokens * a_token / 2**30
        axes.plot(tokens / 1024, size, color=color)
        write(axes, 32.8, float(size[-1]), label, color=COBALT if color == SKY else color)
    axes.set(xlim=(0, 32), ylim=(0, 17), xlabel="tokens, in thousands (1024)", ylabel="GiB")
    ticks(axes, (0, 8, 16, 24, 32), (0, 4, 8, 12, 16))
    return figure


def shared() -> Figure:
    """Eight query heads over eight, two and one key heads."""
    figure = canvas(540, 232)
    axes = board(figure)
    for i, (kv, title) in enumerate(((8, "multi-head"), (2, "grouped-query"), (1, "multi-query"))):
        left, gap = 28 + 172 * i, 18
        write(axes, left, 32, title, weight="bold")
        for query in range(8):
            group = query * kv // 8
            colour = MIST if group % 2 == 0 else SAND
            x = left + query * gap
            centre = left + 3.5 * gap + (group - (kv - 1) / 2) * gap * 8 / kv + 6.5
            axes.plot([x + 6.5, centre], [88, 126], color=LINE, lw=1.3)
            axes.add_patch(Rectangle((x, 60), 13, 28, fc=colour, ec="#a9a294", lw=0.8))
            axes.add_patch(
                Rectangle((centre - 6.5, 126), 13, 28, fc=COBALT if group % 2 == 0 else MARIGOLD, ec="#a9a294", lw=0.8)
            )
        write(axes, left, 180, f"cache × {kv}/8" if kv < 8 else "cache × 1", color=COBALT)
    write(
        axes,
        28,
        206,
        "above: the query heads.  Below: the heads of keys and values, which the cache holds",
        color=SOFT,
        fontsize=11.5,
    )
    return figure


def low_rank() -> Figure:
    """A frozen square matrix beside the two thin ones that are trained, in true proportion."""
    figure = canvas(540, 250)
    axes = board(figure)
    d, r, scale = 1024, 64, 136 / 1024
    side, thin = d * scale, r * scale
    axes.add_patch(Rectangle((40, 62), side, side, fc="#efece5", ec="#a9a294", lw=0.8))
    write(axes, 40 + side / 2, 62 + side / 2, "W\nfrozen", ha="center", color=SOFT)
    write(axes, 200, 62 + side / 2, "+", ha="center", fontsize=18)
    axes.add_patch(Rectangle((226, 62), thin, side, fc=COBALT, ec=COBALT))
    axes.add_patch(Rectangle((248, 62 + (side - thin) / 2), side, thin, fc=MARIGOLD, ec=MARIGOLD))
    write(axes, 226 + thin / 2, 44, "B", ha="center", color=COBALT, weight="bold")
    write(axes, 248 + side / 2, 44 + (side - thin) / 2, "A", ha="center", color=AMBER, weight="bold")
    write(axes, 40, 224, f"{d} × {d}: {d * d:,} numbers".replace(",", " "), color=SOFT, fontsize=11.5)
    write(axes, 226, 224, f"rank {r}, to scale: {2 * d * r:,}".replace(",", " "), color=COBALT, fontsize=11.5)
    write(axes, 412, 112, "rank 64: 12.5 %", color=SOFT, fontsize=11.5, ha="left")
    for i, rank in enumerate((16, 8, 1)):
        share = 100 * 2 * rank / d
        write(axes, 412, 132 + 20 * i, f"rank {rank}: {share:.1f} %", color=SOFT, fontsize=11.5)
    return figure


def gradient_norms(net: nn.RNN | nn.LSTM, x: Tensor) -> list[float]:
    """The norm of the gradient of the last output's sum with respect to each step's input."""
    x = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(net(x)[0][:, -1].sum(), x)
    return [float(norm) for norm in gradient.norm(dim=-1).mean(0)]


def memory() -> Figure:
    """How strongly the last output of a fresh network depends on the input of each earlier step."""
    figure = canvas(540, 300)
    axes = plot(figure, 68, 54, 436, 216)
    torch.manual_seed(0)
    steps, width = 60, 64
    x = torch.randn(16, steps, width, dtype=torch.float64)
    nets: list[tuple[nn.RNN | nn.LSTM, str, str]] = []
    for gain, label, color in ((0.5, "RNN, radius 0.5", RED), (0.9, "RNN, radius 0.9", AMBER)):
        plain = nn.RNN(width, width, batch_first=True, dtype=torch.float64)
        orthogonal = nn.init.orthogonal_(torch.empty(width, width, dtype=torch.float64))
        plain.load_state_dict(plain.state_dict() | {"weight_hh_l0": gain * orthogonal})
        nets.append((plain, label, color))
    gated = nn.LSTM(width, width, batch_first=True, dtype=torch.float64)
    gated.state_dict()["bias_ih_l0"][width : 2 * width] = 4.0  # of the forget gate
    nets.append((gated, "LSTM, forget bias 4", COBALT))
    for net, label, color in nets:
        norms = gradient_norms(net, x)
        axes.plot(range(-steps + 1, 1), [n / norms[-1] for n in norms], color=color)
        gated_net = isinstance(net, nn.LSTM)
        write(axes, -36, norms[-37] / norms[-1] * (30 if gated_net else 0.002), label, color=color, ha="left")
    axes.set(
        yscale="log",
        xlim=(-steps + 1, 0),
        ylim=(1e-27, 1e3),
        xlabel="step before the last",
        ylabel="gradient, relative to the last step",
    )
    axes.set_yticks([1, 1e-10, 1e-20], ["1", "10⁻¹⁰", "10⁻²⁰"])
    ticks(axes, (-50, -40, -30, -20, -10, 0))
    return figure


def cut() -> Figure:
    """The same k and the same p on a distribution that is sure and on one that is not."""
    figure = canvas(560, 286)
    torch.manual_seed(5)
    sides = (
        (48, torch.tensor([5.2, 2.6, 1.9, 1.2, 0.6, 0.2, -0.1, -0.4, -0.8, -1.0], dtype=torch.float64), "sure"),
        (312, torch.tensor([1.1, 1.0, 0.9, 0.75, 0.6, 0.5, 0.3, 0.2, -0.6, -0.9], dtype=torch.float64), "unsure"),
    )
    for left, logits, title in sides:
        p = logits.softmax(0)
        axes = plot(figure, left, 48, 220, 186)
        nucleus = int((p.cumsum(0) < 0.9).sum()) + 1
        for i, value in enumerate(p.tolist()):
            axes.bar(i, value, width=0.78, color=COBALT if i < nucleus else "#ddd8cd")
        top = 1.0 if title == "sure" else 0.25
        axes.axvline(3.5, color=AMBER, lw=1.4, ls="--")
        axes.set(xlim=(-0.6, 9.6), ylim=(0, top))
        axes.grid(visible=False, axis="x")
        ticks(axes, (), (0, 0.5, 1) if title == "sure" else (0, 0.1, 0.2))
        axes.set_xlabel("tokens, most likely first")
        heading(axes, title)
        write(axes, 3.75, 0.92 * top, "top-k, k = 4", color=AMBER)
        noun = "token" if nucleus == 1 else "tokens"
        write(axes, 3.75, 0.8 * top, f"top-p, p = 0.9:\n{nucleus} {noun} (blue)", color=COBALT, va="top")
    return figure


def normed() -> Figure:
    """One vector whose mean is not zero, by LayerNorm and by RMSNorm."""
    figure = canvas(560, 238)
    torch.manual_seed(2)
    x = 1.4 + 0.9 * torch.randn(8, dtype=torch.float64)
    panels = (
        (x, "x (mean dashed)", SOFT),
        (F.layer_norm(x, (8,)), "layer_norm(x)", AMBER),
        (F.rms_norm(x, (8,)), "rms_norm(x)", COBALT),
    )
    for i, (values, title, color) in enumerate(panels):
        axes = plot(figure, 44 + 174 * i, 48, 148, 138)
        axes.bar(range(8), values.tolist(), width=0.74, color=color)
        axes.axhline(0, color=SOFT, lw=0.9)
        axes.axhline(float(values.mean()), color=RED, lw=1.3, ls="--")
        axes.set(xlim=(-0.6, 7.6), ylim=(-2.2, 3.2))
        ticks(axes, (), (-2, 0, 2))
        heading(axes, title, color)
        mean, rms = float(values.mean()), float(values.square().mean().sqrt())
        axes.text(
            0,
            -0.13,
            f"mean {mean:.2f}, rms {rms:.2f}".replace("-0.00", "0.00"),
            transform=axes.transAxes,
            color=SOFT,
            va="top",
            fontsize=11.5,
        )
    return figure


PICTURES = {
    "architectures/attention-from-scratch/causal": causal,
    "architectures/rotary-position-embedding/rotated": rotated,
    "architectures/kv-cache/growth": growth,
    "architectures/grouped-query-attention/shared": shared,
    "architectures/lora/low-rank": low_rank,
    "architectures/rnn-from-scratch/memory": memory,
    "architectures/top-k-top-p-sampling/cut": cut,
    "architectures/rms-norm/normed": normed,
}
