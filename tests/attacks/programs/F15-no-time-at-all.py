# id: F15
# tries: replaces the timed probe with a function that does nothing
# expect: WA
# message: largest error
# package: smoothing
import sys

import torch


def smooth(x):
    probes = sys.modules["probes"]
    probes.chain = lambda solution, seed, k: torch.zeros(320, 32)
    return (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
