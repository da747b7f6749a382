# id: F8
# tries: is far too slow; sleeps in its first calls, in the hope that the benchmark then makes fewer repetitions
# expect: WA
# message: five times slower
# package: smoothing
import itertools
import time

calls = itertools.count()


def smooth(x):
    if next(calls) < 20:
        time.sleep(0.05)
    for _ in range(25):
        out = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return out
