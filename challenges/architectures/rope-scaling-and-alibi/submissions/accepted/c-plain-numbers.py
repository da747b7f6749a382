"""Lists of Python numbers, turned into tensors at the end."""

import math

import torch


def rope_angles(positions, d, length, trained, method, base=10000.0):
    s = max(length, trained) / trained
    rules = {
        "linear": lambda i: base ** (-2 * i / d) / s,
        "ntk": lambda i: math.pow(base * math.pow(s, d / (d - 2)), -2 * i / d),
    }
    if method not in rules:
        raise ValueError(method)
    return torch.stack([positions.double() * rules[method](i) for i in range(d // 2)], dim=-1)


def alibi_slopes(heads):
    m = 1
    while 2 * m <= heads:
        m = 2 * m
    found = [2 ** (-8 * j / m) for j in range(1, m + 1)]
    j = 1
    while len(found) < heads:
        found.append(2 ** (-8 * j / (2 * m)))
        j += 2
    return torch.tensor(found)


def alibi_bias(heads, T, S):
    bias = torch.full((heads, T, S), -math.inf)
    slopes = alibi_slopes(heads)
    for t in range(T):
        here = t + S - T
        bias[:, t, : here + 1] = slopes[:, None] * (torch.arange(here + 1) - here)
    return bias
