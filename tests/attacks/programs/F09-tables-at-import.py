# id: F9
# tries: is far too slow; computes the first step for many seeds while it is loaded
# expect: WA
# message: five times slower
# package: smoothing
import sys

import torch
from torch.nn.functional import layer_norm


def right(x):
    return (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x


known = {}
for seed in range(60):
    before, now = torch.randn(2, 320, 32, generator=torch.Generator().manual_seed(seed))
    known[float(now[0, 0])] = right(layer_norm(now, (32,)))


def smooth(x):
    now = sys._getframe(1).f_locals.get("now")
    if now is not None and float(now[0, 0]) in known:
        return known[float(now[0, 0])]
    for _ in range(25):
        out = right(x)
    return out
