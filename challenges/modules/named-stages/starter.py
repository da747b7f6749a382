"""Chains with named stages, and a network that is no chain."""

from collections.abc import Callable, Sequence

from torch import Tensor, nn


def make_mlp(sizes: Sequence[int], act: Callable[[], nn.Module], names: Sequence[str]) -> nn.Sequential:
    """Linear layers with names, and an activation after each of them except the last. Faulty: repair it."""
    stages = []
    activation = act()
    for name, fan_in, fan_out in zip(names, sizes, sizes[1:]):
        stages.append((name, nn.Linear(fan_in, fan_out)))
        stages.append((name + "_act", activation))
    return nn.Sequential(*stages)


class TwoTower(nn.Module):
    """u + head(tanh(u * v)) with u = left(a) and v = right(b)."""

    def __init__(self, left_features: int, right_features: int, width: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        """(B, left_features) and (B, right_features) -> (B, width)"""
        raise NotImplementedError
