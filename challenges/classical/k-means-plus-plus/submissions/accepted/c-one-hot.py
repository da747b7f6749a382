"""cdist without the matrix product, an exponential race for each draw, and means as a product with one-hot labels."""

import torch
import torch.nn.functional as F


def distances(x, centres):
    return torch.cdist(x, centres, compute_mode="donot_use_mm_for_euclid_dist")


def plus_plus(x, k, generator=None):
    n = len(x)
    if k not in range(1, n + 1):
        raise ValueError("k")
    chosen = torch.zeros(k, dtype=torch.int64)
    race = torch.empty(n, dtype=x.dtype)
    chosen[0] = race.uniform_(generator=generator).argmax()
    for t in range(1, k):
        taken = torch.zeros(n, dtype=torch.bool)
        taken[chosen[:t]] = True
        weights = distances(x, x[chosen[:t]]).min(1).values ** 2
        if bool((weights == 0).all()):
            chosen[t] = taken.long().argmin()
        else:
            chosen[t] = (weights / race.exponential_(generator=generator)).argmax()
    return chosen


def lloyd(x, centres, steps=100):
    if steps < 1:
        raise ValueError("steps")
    history = []
    old = None
    for _ in range(steps):
        table = distances(x, centres)
        labels = table.argmin(dim=1)
        history.append(table.gather(1, labels[:, None]).square().sum())
        member = F.one_hot(labels, len(centres)).to(x.dtype)
        count = member.sum(0)[:, None]
        mean = member.T @ x / count
        centres = torch.where(count == 0, centres, mean)
        if old is not None and not (labels != old).any():
            break
        old = labels
    return centres, labels, torch.stack(history)
