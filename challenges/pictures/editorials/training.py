"""Editorials on training: what a loop learns, what it keeps, and what it logs."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from matplotlib.colors import LinearSegmentedColormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils.checkpoint import checkpoint

from challenges.pictures.style import (
    AMBER,
    COBALT,
    HAZE,
    LINE,
    MARIGOLD,
    MIST,
    PANEL,
    RED,
    SOFT,
    canvas,
    heading,
    plot,
    ticks,
    write,
)

F64 = torch.float64
BLUES = LinearSegmentedColormap.from_list("cobalt", [PANEL, MIST, COBALT])


def arms(count: int) -> tuple[Tensor, Tensor]:
    """Points on two spirals, and the arm of each."""
    radius = 0.1 + 0.9 * torch.rand(2, count, dtype=F64)
    angle = 2 * torch.pi * radius + torch.pi * torch.arange(2)[:, None]
    points = torch.stack([radius * angle.cos(), radius * angle.sin()], -1) + 0.01 * torch.randn(2, count, 2, dtype=F64)
    return points.flatten(0, 1), torch.arange(2).repeat_interleave(count)


def spirals() -> Figure:
    """What a small network says of every place after three epochs and after sixty."""
    figure = canvas(560, 300)
    torch.manual_seed(4)
    x, arm = arms(60)
    net = nn.Sequential(nn.Linear(2, 48), nn.Tanh(), nn.Linear(48, 2)).double()
    for weight in net.parameters():
        nn.init.normal_(weight, std=0.7)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    side = torch.linspace(-1.25, 1.25, 80, dtype=F64)
    places = torch.cartesian_prod(side, side)
    panel = 0
    for epoch in range(1, 61):
        for rows in torch.randperm(120).view(5, 24):
            optimizer.zero_grad()
            F.cross_entropy(net(x[rows]), arm[rows]).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        if epoch not in (3, 60):
            continue
        with torch.no_grad():
            margin = (net(places) @ torch.tensor([-1.0, 1.0], dtype=F64)).view(80, 80).T
            right = float((net(x).argmax(1) == arm).double().mean())
        axes = plot(figure, 30 + 262 * panel, 28, 238, 216)
        axes.contourf(side, side, margin, levels=[-1e9, 0, 1e9], cmap=ListedColormap([HAZE, "#fdf1dc"]))
        for k, color in enumerate((COBALT, AMBER)):
            axes.plot(x[arm == k, 0], x[arm == k, 1], "o", ms=3.6, color=color)
        axes.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), aspect="equal")
        axes.axis("off")
        heading(axes, f"after {epoch} epochs: {100 * right:.0f} % right", SOFT)
        panel += 1
    return figure


Start = Callable[[Tensor], object]


def learnt(start: Start | None) -> tuple[list[float], Tensor]:
    """Losses of a layer that learns to name the token before each one, and where its attention looks at the end."""
    torch.manual_seed(1)
    count, width, length = 4, 32, 5
    embeddings = torch.randn(count, width, dtype=F64)
    turns = torch.arange(length, dtype=F64)[:, None] / 10000 ** (torch.arange(0, width, 2, dtype=F64) / width)
    positions = torch.stack([turns.sin(), turns.cos()], -1).flatten(1)
    layer = nn.TransformerEncoderLayer(width, 2, 64, 0.0, batch_first=True, norm_first=True, dtype=F64)
    if start:
        for weight in layer.parameters():
            if weight.dim() == 2:
                start(weight)
    read_out = nn.Linear(width, count, dtype=F64)
    optimizer = torch.optim.Adam([*layer.parameters(), *read_out.parameters()], lr=1e-2)
    losses = []
    for _ in range(100):
        tokens = torch.randint(0, count, (32, length))
        logits = read_out(layer(embeddings[tokens] + positions))
        loss = F.cross_entropy(logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten())
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(loss.item())
    with torch.no_grad():
        x = layer.norm1(embeddings[tokens] + positions)
        weights = layer.self_attn(x, x, x)[1].mean(0)  # the mean of both heads, and of the batch
    return losses, weights


def copying() -> Figure:
    """Attention that has learnt to look one token back, and the losses from three kinds of first weights."""
    figure = canvas(560, 300)
    starts: tuple[tuple[str, Start | None, str], ...] = (
        ("usual start", None, COBALT),
        ("all zero", nn.init.zeros_, AMBER),
        ("standard normal", nn.init.normal_, RED),
    )
    runs = {name: (learnt(start), color) for name, start, color in starts}
    axes = plot(figure, 50, 58, 184, 184)
    for t, row in enumerate(runs["usual start"][0][1].tolist()):
        for s, weight in enumerate(row):
            axes.add_patch(Rectangle((s, t), 1, 1, fc=BLUES(min(1.0, weight / 0.9)), ec=LINE, lw=0.6))
    axes.set(xlim=(0, 5), ylim=(5, 0), xlabel="key", ylabel="query")
    axes.grid(visible=False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks([i + 0.5 for i in range(5)], [str(i) for i in range(5)])
    heading(axes, "attention after 100 steps", COBALT)
    right = plot(figure, 298, 58, 232, 184)
    for (losses, _), color in runs.values():
        right.plot(range(1, 101), losses, color=color, lw=1.6)
    right.axhline(torch.tensor(4.0).log().item(), color=SOFT, lw=1.0, ls=(0, (4, 3)))
    right.set(yscale="log", xlim=(1, 100), ylim=(2e-5, 90), xlabel="step")
    right.set_yticks([1e-4, 1e-2, 1.39, 30], ["10⁻⁴", "0.01", "1.39", "30"])
    ticks(right, (1, 50, 100))
    heading(right, "loss; dashed: guessing", SOFT)
    for y, name in ((12, "standard normal"), (0.42, "all zero"), (0.0005, "usual start")):
        write(right, 98 if y > 0.1 else 46, y, name, color=runs[name][1], ha="right")
    return figure


class Watched(nn.Module):
    """A block like the challenge's: `made` collects its tensors with their sizes, `seen` the numbers that are alive."""

    def __init__(self, made: list[tuple[StorageWeakRef, int]], seen: list[int]):
        super().__init__()
        self.widen, self.narrow, self.made, self.seen = nn.Linear(4, 16), nn.Linear(16, 4), made, seen

    def forward(self, x: Tensor) -> Tensor:
        wide = torch.tanh(self.widen(x))
        y: Tensor = x + self.narrow(wide)
        for t in (wide, y):
            self.made.append((StorageWeakRef(t.untyped_storage()), t.numel()))  # type: ignore[no-untyped-call]
        self.look()
        if x.requires_grad:
            x.register_hook(lambda _: self.look())  # type: ignore[no-untyped-call]
        return y

    def look(self) -> None:
        """Count what is alive now."""
        self.seen.append(sum(numbers for ref, numbers in self.made if not ref.expired()))  # type: ignore[misc, no-untyped-call]


def alive(every: int) -> list[int]:
    """Numbers alive during one step of sixteen blocks, checkpointed in segments of `every`; 0 keeps everything."""
    made: list[tuple[StorageWeakRef, int]] = []
    seen: list[int] = []
    blocks = [Watched(made, seen) for _ in range(16)]
    x = torch.ones(1, 4, requires_grad=True)
    for start in range(0, 16, every or 16):
        segment = nn.Sequential(*blocks[start : start + (every or 16)])
        x = checkpoint(segment, x, use_reentrant=False) if every else segment(x)
    x.sum().backward()  # type: ignore[no-untyped-call]
    return seen


def kept() -> Figure:
    """What sixteen blocks have in memory while a step goes on, counted: forward to the dashed line, then backward."""
    figure = canvas(560, 296)
    axes = plot(figure, 58, 54, 366, 206)
    ways = ((0, RED, "everything is kept"), (8, AMBER, "segments of 8"), (4, COBALT, "segments of 4"))
    most = max(alive(0))
    for every, color, name in ways:
        seen = [100 * count / most for count in alive(every)]
        axes.plot(range(1, len(seen) + 1), seen, color=color, lw=2)
        peak = max(seen)
        y = {0: 96, 8: 62, 4: 40}[every]
        write(axes, 50, y, f"{name}:\nat most {peak:.0f} %", color=color, clip_on=False)
    axes.axvline(16, color=SOFT, lw=1.0, ls=(0, (4, 3)))
    axes.set(xlim=(1, 49), ylim=(0, 106), xlabel="blocks entered, and left again by the gradient")
    ticks(axes, (1, 16, 32, 48), (0, 50, 100))
    return figure


def norms() -> Figure:
    """The norm of the gradient in each step of a run with a few bad batches: as returned, and after clipping."""
    figure = canvas(560, 280)
    axes = plot(figure, 58, 54, 350, 190)
    torch.manual_seed(2)
    weight = nn.Parameter(torch.zeros(8, dtype=F64))
    truth = torch.randn(8, dtype=F64)
    optimizer = torch.optim.SGD([weight], lr=0.03)
    before, after = [], []
    for step in range(1, 121):
        x = torch.randn(16, 8, dtype=F64) * (6.0 if step in (34, 71, 96) else 1.0)
        loss = (x @ weight - x @ truth - 0.5 * torch.randn(16, dtype=F64)).square().mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        before.append(float(nn.utils.clip_grad_norm_([weight], 1.0)))
        assert weight.grad is not None
        after.append(float(weight.grad.norm()))
        optimizer.step()
    axes.plot(range(1, 121), before, color=COBALT, lw=1.6)
    axes.plot(range(1, 121), after, color=MARIGOLD, lw=1.8)
    axes.set(yscale="log", xlim=(1, 120), ylim=(0.2, 90), xlabel="step", ylabel="norm of all gradients")
    axes.set_yticks([1, 10], ["1", "10"])
    ticks(axes, (1, 40, 80, 120))
    write(axes, 123, 3.2, "before: what the\nfunction returns", color=COBALT, clip_on=False)
    write(axes, 123, 0.32, "after: at most 1,\nwhatever happens", color=AMBER, clip_on=False)
    return figure


def seams() -> Figure:
    """A schedule of twelve steps: its first step, its peak, its end, and where two common versions leave it."""
    figure = canvas(560, 280)
    axes = plot(figure, 58, 54, 350, 196)
    warmup, total, floor = 4, 12, 0.1

    def fall(fraction: float) -> float:
        return float(floor + (1 - floor) * 0.5 * (1 + torch.cos(torch.tensor(torch.pi * fraction, dtype=F64))))

    steps = range(16)
    right = [(k + 1) / warmup if k < warmup else fall(min((k - warmup) / (total - warmup), 1.0)) for k in steps]
    late = [k / warmup for k in range(warmup)]
    periodic = [fall((k - warmup) / (total - warmup)) for k in range(total, 16)]
    axes.plot(steps, right, "-o", color=COBALT, ms=7, lw=1.4)
    axes.plot(range(warmup), late, "o", mfc=PANEL, mec=RED, mew=1.6, ms=7, clip_on=False)
    axes.plot(range(total, 16), periodic, "o", mfc=PANEL, mec=AMBER, mew=1.6, ms=7)
    axes.plot(total, right[total], "o", color=COBALT, ms=7)
    axes.set(xlim=(-0.5, 15.5), ylim=(0, 1.1), xlabel="step of the optimizer, k", ylabel="factor")
    ticks(axes, (0, 3, 4, 8, 12, 15), (0, 0.1, 0.55, 1))
    write(axes, 15.9, 0.86, "red: k / warmup.\nThe first batch\nmoves nothing", color=RED, clip_on=False)
    write(axes, 15.9, 0.46, "amber: no end.\nThe cosine rises\nagain", color=AMBER, clip_on=False)
    return figure


PICTURES = {
    "training/training-loop/spirals": spirals,
    "architectures/encoder-layer/copying": copying,
    "performance/checkpointed-blocks/kept": kept,
    "optimization/clip-global-norm/norms": norms,
    "optimization/warmup-cosine/seams": seams,
}
