"""Wait, read, call, wait, read; statistics from torch.quantile in float64."""

import torch


def bench(fn, clock, synchronize=None, warmup=3, repeats=10):
    if warmup < 0 or repeats < 1:
        raise ValueError("warmup must not be negative, and repeats must be at least 1")
    wait = synchronize if synchronize is not None else lambda: None
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(repeats):
        wait()
        start = clock()
        fn()
        wait()
        times.append(clock() - start)
    levels = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64)
    low, middle, high = torch.quantile(torch.tensor(times, dtype=torch.float64), levels).tolist()
    return {"times": times, "median": middle, "iqr": high - low}
