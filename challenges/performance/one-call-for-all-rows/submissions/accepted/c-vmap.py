"""The formula for one point and one centre, mapped over both."""

import torch


def squared(point, centre, weights):
    return torch.dot(weights, (point - centre).square())


def assign(points, centres, weights):
    if not len(points):
        return torch.zeros(0, dtype=torch.int64), points @ weights
    one_point = torch.vmap(squared, in_dims=(None, 0, None))
    table = torch.vmap(one_point, in_dims=(0, None, None))(points, centres, weights)
    index = table.argmin(dim=1)
    return index, table.gather(1, index[:, None])[:, 0]
