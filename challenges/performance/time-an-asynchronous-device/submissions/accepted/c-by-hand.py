"""One loop for warm-up and measurement; quantiles interpolated by hand."""

import math


def quantile(ordered, q):
    place = q * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def bench(fn, clock, synchronize=None, warmup=3, repeats=10):
    if not (warmup >= 0 and repeats >= 1):
        raise ValueError(f"{warmup=}, {repeats=}")
    sync = synchronize or (lambda: None)
    times = []
    for run in range(-warmup, repeats):
        sync()
        begin = clock()
        fn()
        sync()
        end = clock()
        if run >= 0:
            times.append(end - begin)
    ordered = sorted(times)
    return {
        "times": times,
        "median": quantile(ordered, 0.5),
        "iqr": quantile(ordered, 0.75) - quantile(ordered, 0.25),
    }
