"""Waits once after the warm-up and at the end of each run, since the device is idle between runs; the statistics module."""

import statistics


def bench(fn, clock, synchronize=None, warmup=3, repeats=10):
    if warmup < 0:
        raise ValueError("warmup")
    if repeats <= 0:
        raise ValueError("repeats")

    def settled():
        if synchronize:
            synchronize()
        return clock()

    for _ in range(warmup):
        fn()
    times = []
    now = settled()
    for _ in range(repeats):
        fn()
        then, now = now, settled()
        times.append(now - then)
    if repeats == 1:
        return {"times": times, "median": times[0], "iqr": 0.0}
    low, middle, high = statistics.quantiles(times, n=4, method="inclusive")
    return {"times": times, "median": statistics.median(times), "iqr": high - low}
