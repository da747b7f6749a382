# id: F6
# tries: is far too slow; computes the whole timed chain in its first step, from the variables in the probe's frame
# expect: WA
# message: five times slower
# package: smoothing
import sys

from torch.nn.functional import layer_norm

ready = []


def slow(x):
    for _ in range(25):
        out = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return out


def smooth(x):
    chain = sys._getframe(1).f_locals
    if "before" not in chain:
        return slow(x)
    if not ready:
        before, now = chain["before"], chain["now"]
        for _ in range(chain["k"]):
            ready.append(slow(layer_norm(now, now.shape[-1:])))
            before, now = now, ready[-1] - before
    return ready.pop(0)
