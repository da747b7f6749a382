"""The impurity of each side as it is defined, from cumulative counts or cumulative moments; the choice by nonzero."""

import torch


def best_split(x, y, criterion="gini", min_leaf=1):
    if min_leaf < 1 or criterion not in {"gini", "variance"}:
        raise ValueError("criterion or min_leaf")
    n, d = x.shape
    order = x.argsort(0)
    column = x.gather(0, order)
    size = torch.arange(1, n + 1, dtype=torch.float64).unsqueeze(1)
    if criterion == "gini":
        classes = torch.arange(int(y.max()) + 1)
        counts = (y[order].unsqueeze(2) == classes).cumsum(0)

        def side(count, m):
            return 1 - ((count / m.unsqueeze(2)) ** 2).sum(2)

        before, after = side(counts, size), side(counts[-1:] - counts, n - size)
    else:
        z = y.double() - y.double().mean()
        one, two = z[order].cumsum(0), z[order].square().cumsum(0)
        before = two / size - (one / size) ** 2
        after = (two[-1:] - two) / (n - size) - ((one[-1:] - one) / (n - size)) ** 2
    whole = before[-1, 0]
    gain = whole - (size * before + (n - size) * after) / n
    gain = gain[:-1]
    last_of_its_value = column[1:] != column[:-1]
    enough = torch.minimum(size, n - size)[:-1] >= min_leaf
    gain[~(last_of_its_value & enough)] = -1.0
    if n == 1 or gain.max() <= whole * 1e-6:
        return None
    feature, row = (gain.max() - gain < whole * 1e-6).t().nonzero()[0].tolist()
    return feature, float(column[row, feature]), float(gain[row, feature])
