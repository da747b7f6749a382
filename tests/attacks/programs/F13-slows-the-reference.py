# id: F13
# tries: is far too slow; runs processes that use CPU time and caches, to slow down the reference while it is timed
# expect: WA
# message: (five times slower|CPU time|took longer)
# package: smoothing
import os

import torch

for _ in range(2):
    if os.fork() == 0:
        big = torch.empty(1 << 23)
        while True:
            big.add_(1.0)


def smooth(x):
    for _ in range(25):
        out = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return out
