"""The gain as the squared distance between the two sides' means, and ties by a minimum over numbered candidates."""

import torch


def best_split(x, y, criterion="gini", min_leaf=1):
    if criterion == "gini":
        z = torch.eye(int(y.max()) + 1, dtype=torch.float64)[y]
    elif criterion == "variance":
        z = y.to(torch.float64).unsqueeze(-1)
    else:
        raise ValueError(criterion)
    if min_leaf <= 0:
        raise ValueError(min_leaf)
    n, d = x.shape
    z = z - z[0]
    z = z - z.mean(0)
    impurity = z.pow(2).sum() / n
    sorted_x, order = torch.sort(x.T.contiguous(), dim=1)
    left = z[order[:, : n - 1]].cumsum(1)
    m = torch.arange(1, n, dtype=torch.float64)
    # centred targets: the sums of both sides are opposite, so the means are left/m and -left/(n - m)
    gain = left.pow(2).sum(2) / (m * (n - m))
    ok = (sorted_x.diff(dim=1) > 0) & (m >= min_leaf) & (m <= n - min_leaf)
    gain = torch.where(ok, gain, torch.zeros_like(gain))
    best = gain.max() if n > 1 else gain.sum()
    if best <= 1e-6 * impurity:
        return None
    number = torch.arange(gain.numel()).view_as(gain)
    chosen = int(number[gain > best - 1e-6 * impurity].min())
    j, i = chosen // (n - 1), chosen % (n - 1)
    return j, sorted_x[j, i].item(), gain[j, i].item()
