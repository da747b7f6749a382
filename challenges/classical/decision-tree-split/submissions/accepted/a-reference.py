"""One sort of all columns, cumulative sums of one-hot or centred targets, and one formula for both criteria."""

import torch
import torch.nn.functional as F
from torch import Tensor


def best_split(x: Tensor, y: Tensor, criterion: str = "gini", min_leaf: int = 1) -> tuple[int, float, float] | None:
    if criterion not in ("gini", "variance"):
        raise ValueError(f"unknown criterion {criterion!r}")
    if min_leaf < 1:
        raise ValueError("min_leaf must be 1 or more")
    n = len(x)
    if n < 2 * min_leaf:
        return None
    if criterion == "gini":
        targets = F.one_hot(y).double()
    else:
        targets = y.double()[:, None]
        targets = targets - targets.mean()
    total = targets.sum(0)
    impurity = targets.square().sum() / n - total.square().sum() / n**2

    values, order = x.sort(dim=0)
    left = targets[order].cumsum(0)[:-1]  # (n - 1, d, K)
    n_left = torch.arange(1, n)[:, None]
    squares = left.square().sum(-1) / n_left + (total - left).square().sum(-1) / (n - n_left)
    gains = squares / n - total.square().sum() / n**2
    possible = (values[1:] > values[:-1]) & (n_left >= min_leaf) & (n - n_left >= min_leaf)
    gains = gains.where(possible, -torch.inf)

    slack = 1e-6 * impurity
    if not gains.max() > slack:
        return None
    first = (gains > gains.max() - slack).T.flatten().int().argmax()
    feature, row = divmod(int(first), n - 1)
    return feature, values[row, feature].item(), gains[row, feature].item()
