"""Initialisation: what fifty layers make of a signal."""

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from challenges.pictures.style import AMBER, COBALT, RED, canvas, plot, write

DEPTH, WIDTH = 50, 256


def by_depth(init: str) -> list[float]:
    """The root mean square after each of DEPTH layers, Linear and ReLU, in float64."""
    torch.manual_seed(0)
    x: Tensor = torch.randn(128, WIDTH, dtype=torch.float64)
    found = []
    for _ in range(DEPTH):
        layer = nn.Linear(WIDTH, WIDTH, bias=False, dtype=torch.float64)
        if init == "xavier":
            nn.init.xavier_normal_(layer.weight)
        if init == "he":
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        x = torch.relu(layer(x)).detach()
        found.append(float(x.square().mean().sqrt()))
    return found


def depth() -> Figure:
    """He keeps the size, Xavier halves the variance in each layer, the default of nn.Linear divides it by six."""
    figure = canvas(540, 300)
    axes = plot(figure, 68, 54, 374, 216)
    lines = (("he", "He", COBALT), ("xavier", "Xavier", AMBER), ("default", "nn.Linear's\ndefault", RED))
    for name, label, color in lines:
        y = by_depth(name)
        axes.plot(range(1, DEPTH + 1), y, color=color)
        write(axes, DEPTH + 1.2, y[-1], label, color=color, clip_on=False)
    axes.set(yscale="log", xlim=(1, DEPTH), ylim=(1e-21, 1e2), xlabel="layer", ylabel="root mean square")
    axes.set_xticks([1, 10, 20, 30, 40, 50])
    axes.set_yticks([1e0, 1e-5, 1e-10, 1e-15, 1e-20], ["1", "10⁻⁵", "10⁻¹⁰", "10⁻¹⁵", "10⁻²⁰"])
    return figure


PICTURES = {"initialization/variance-preserving-init/depth": depth}
