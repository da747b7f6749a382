"""Programs that stay in one process: many values at once, several calls in a row, and the state of the global generator."""

import torch
from torch import Tensor


def statistics(solution, p: float, rows: int, columns: int, seed: int) -> dict:
    """The share of zeros and the mean when ones go through a layer in training."""
    torch.manual_seed(seed)
    y = solution.MyDropout(p)(torch.ones(rows, columns))
    return {"zeros": int((y == 0).sum()) / y.numel(), "mean": float(y.mean())}


def in_a_row(solution, x: Tensor, whole_channels: bool, times: int, seed: int) -> list[Tensor]:
    """The outputs of several calls of one layer after one torch.manual_seed."""
    layer = solution.MyDropout(0.5, whole_channels)
    torch.manual_seed(seed)
    return [layer(x) for _ in range(times)]


def generator_moved(solution, x: Tensor) -> tuple[bool, bool]:
    """Whether the global generator was moved by a call in training, and by a call in evaluation."""
    layer, moved = solution.MyDropout(0.5), []
    for training in (True, False):
        layer.train(training)
        before = torch.get_rng_state()
        layer(x)
        moved.append(not torch.equal(before, torch.get_rng_state()))
    return moved[0], moved[1]
