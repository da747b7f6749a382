"""ntk as a factor for each pair; slopes by recursion."""

import torch


def rope_angles(positions, d, length, trained, method, base=10000.0):
    s = length / trained if length > trained else 1.0
    i = torch.arange(d // 2, dtype=torch.float64)
    theta = torch.exp(-2 * i / d * torch.tensor(base, dtype=torch.float64).log())
    if method == "linear":
        theta = theta / s
    elif method == "ntk":
        theta = theta * s ** (-2 * i / (d - 2))  # 1 for the first pair, 1 / s for the last
    else:
        raise ValueError("method is 'linear' or 'ntk'")
    return positions.to(torch.float64).unsqueeze(-1) * theta


def slopes(n):
    if n & (n - 1) == 0:
        first = 2.0 ** (-8.0 / n)
        return [first**j for j in range(1, n + 1)]
    below = 1
    while below * 2 < n:
        below *= 2
    return slopes(below) + slopes(2 * below)[::2][: n - below]


def alibi_slopes(heads):
    return torch.tensor(slopes(heads), dtype=torch.float32)


def alibi_bias(heads, T, S):
    past = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    query = torch.arange(T).view(T, 1) + S - T
    key = torch.arange(S).view(1, S)
    penalty = torch.einsum("h,ts->hts", alibi_slopes(heads), (key - query).float())
    return torch.where(past, penalty, torch.tensor(float("-inf")))
