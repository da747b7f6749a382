"""Tables of places: one index for each place dimension gathers all windows; a place outside of x is masked."""

import torch


def gathered(x, sizes, stride, padding):
    """Return windows (N, C, out_1, k_1, out_2, k_2, …) and a mask that is True where a place belongs to x."""
    if stride < 1:
        raise ValueError("a stride is at least 1")
    inside = torch.ones((), dtype=torch.bool)
    for i, size in enumerate(sizes):
        dim = 2 + 2 * i
        length = x.shape[dim]
        starts = torch.arange(0, length + 2 * padding - size + 1, stride) - padding
        if size < 1 or length + 2 * padding < size:
            raise ValueError("the window is larger than the padded input")
        table = starts[:, None] + torch.arange(size)
        own = (table >= 0) & (table < length)
        inside = inside[..., None, None] & own
        x = x.index_select(dim, table.clamp(0, length - 1).flatten()).unflatten(dim, table.shape)
    return x, inside


def over_windows(n):
    return tuple(range(3, 3 + 2 * n, 2))


def convolve(x, w, stride=1, padding=0):
    n = x.dim() - 2
    seen, inside = gathered(x, w.shape[2:], stride, padding)
    seen = torch.where(inside, seen, 0.0)
    out = torch.tensordot(seen, w, dims=([1, *over_windows(n)], list(range(1, n + 2))))
    return out.movedim(-1, 1)


def average_pool(x, size, stride=None, padding=0, count_padding=True):
    n = x.dim() - 2
    seen, inside = gathered(x, [size] * n, size if stride is None else stride, padding)
    total = torch.where(inside, seen, 0.0).sum(over_windows(n))
    if count_padding:
        return total / size**n
    return total / inside.sum(tuple(d - 2 for d in over_windows(n)))


def max_pool(x, size, stride=None, padding=0):
    n = x.dim() - 2
    seen, inside = gathered(x, [size] * n, size if stride is None else stride, padding)
    return seen.masked_fill(~inside, float("-inf")).amax(over_windows(n))


def causal_depthwise(x, w, before=None):
    k, t = w.shape[1], x.shape[2]
    age = torch.arange(t)[:, None] - torch.arange(t + k - 1) + k - 1  # how old each number is, (T, k - 1 + T)
    weight = torch.where((age >= 0) & (age < k), w[:, (k - 1 - age).clamp(0, k - 1)], 0.0)
    if before is None:
        before = torch.zeros(*x.shape[:2], k - 1, dtype=x.dtype)
    return torch.einsum("cts,bcs->bct", weight, torch.cat([before, x], 2))
