"""Number by number, in Python."""

import math

import torch


def rounded(number, dtype):
    return torch.tensor(number, dtype=torch.float64).to(dtype).item()


def losses_in(values, dtype):
    found = {"overflowed": 0, "vanished": 0, "worst": 0.0}
    for x in values.flatten().tolist():
        if x == 0 or not math.isfinite(x):
            continue
        y = rounded(x, dtype)
        if math.isinf(y):
            found["overflowed"] += 1
        elif y == 0:
            found["vanished"] += 1
        else:
            found["worst"] = max(found["worst"], abs(y - x) / abs(x))
    return found


def largest_scale(gradients, dtype):
    top = max((abs(x) for g in gradients for x in g.flatten().tolist()), default=0.0)
    scale = 2.0**24
    while scale >= 1 and math.isinf(rounded(top * scale, dtype)):
        scale /= 2
    return scale if scale >= 1 else 0.0
