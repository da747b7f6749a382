"""The same relaxation for one row or all rows, in a fixed number of rounds; the tree from minimax paths."""

import torch

INF = float("inf")


def relaxed(distance, weights, rounds):
    """Rounds of relaxation of (m, n) distances."""
    for _ in range(rounds):
        distance = torch.minimum(distance, (distance[:, :, None] + weights[None]).amin(1))
    return distance


def distances(weights, rows):
    n = weights.shape[0]
    start = torch.where(torch.eye(n, dtype=torch.bool)[rows], 0.0, INF).to(weights.dtype)
    found = relaxed(start, weights, n - 1)
    if bool((relaxed(found, weights, 1) < found).any()):
        raise ValueError("a distance falls without end")
    return found


def from_source(weights, source):
    return distances(weights.detach(), [source])[0]


def all_pairs(weights):
    return distances(weights.detach(), slice(None))


def lightest_tree(weights):
    w = weights.detach()
    n = w.shape[0]
    tree = [0]
    rest = list(range(1, n))
    lengths = []
    while rest:
        edges = w[tree][:, rest]
        best = edges.min(0).values
        length, at = best.min(0)
        lengths.append(length)
        tree.append(rest.pop(int(at)))
    return torch.stack(lengths).sum() if lengths else torch.zeros((), dtype=w.dtype)
