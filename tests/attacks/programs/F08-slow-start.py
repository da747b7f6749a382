# id: F8
# tries: far too slow; sleeps in its first calls, in the hope that fewer repetitions are made then
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
