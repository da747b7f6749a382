"""Topics about performance: what bounds an operation."""

import torch
from matplotlib.figure import Figure

from challenges.pictures.style import AMBER, COBALT, SOFT, Draw, canvas, plot, write

# A core with round numbers: operations and bytes a second.
OPERATIONS, BYTES = 100e9, 20e9


def roof() -> Figure:
    """The reachable rate over the operations per byte, with four operations on the line."""
    figure = canvas(560, 320)
    axes = plot(figure, 64, 58, 460, 220)
    intensity = torch.logspace(-1.7, 2.4, 200, dtype=torch.float64)
    rate = torch.minimum(intensity * BYTES, torch.tensor(OPERATIONS, dtype=torch.float64)) / 1e9
    axes.plot(intensity.tolist(), rate.tolist(), color=COBALT)
    ridge = OPERATIONS / BYTES
    axes.axvline(ridge, color=SOFT, lw=1, ls=(0, (4, 3)))
    axes.set(xscale="log", yscale="log", xlim=(0.02, 250), ylim=(0.3, 300))
    axes.set_xlabel("operations per byte")
    axes.set_ylabel("10⁹ operations a second")
    axes.set_xticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    axes.set_yticks([1, 10, 100], ["1", "10", "100"])
    n = 512
    known = (
        (1 / 12, "sum of two tensors", (8, -12)),
        (0.5, "matrix times vector", (9, -12)),
        (1.25, "softmax of rows", (9, -12)),
        (n / 6, f"product of {n} × {n} matrices", (36, -16)),
    )
    for x, name, shift in known:
        y = min(x * BYTES, OPERATIONS) / 1e9
        axes.plot([x], [y], "o", color=AMBER, ms=7, zorder=7)
        axes.annotate(
            name,
            (x, y),
            xytext=shift,
            textcoords="offset points",
            fontsize=11.5,
            va="center",
            ha="right" if x > ridge else "left",
            color=AMBER,
            zorder=7,
        )
    write(axes, 0.16, 60, "waits for memory", color=SOFT, fontsize=11.5)
    write(axes, 12, 190, "waits for arithmetic", color=SOFT, fontsize=11.5)
    return figure


PICTURES: dict[str, Draw] = {"performance/roofline/roof": roof}
