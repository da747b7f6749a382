# id: F8
# tries: is far too slow; sleeps in the short chain, whose time would be subtracted from that of the long one
# expect: WA
# message: five times slower
# package: smoothing
import sys
import time

started = {}


def smooth(x):
    chain = sys._getframe(1).f_locals
    began = time.perf_counter()
    for _ in range(25):
        out = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    if "k" in chain and chain["k"] == 16:
        time.sleep(time.perf_counter() - began)
    return out
