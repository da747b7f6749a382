from torch import Tensor


def scan(a: Tensor, b: Tensor) -> Tensor:
    """(T, D), (T, D) -> (T, D): h[t] = a[t] * h[t - 1] + b[t], beginning with zero"""
    raise NotImplementedError
