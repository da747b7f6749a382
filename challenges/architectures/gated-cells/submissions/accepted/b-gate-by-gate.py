"""Each gate has its own small layer, made from slices of the stacked weights."""

from torch.nn import functional as F


def split(v, weight, bias, blocks):
    hidden = weight.shape[0] // blocks
    starts = range(0, blocks * hidden, hidden)
    return [F.linear(v, weight[k : k + hidden], bias[k : k + hidden]) for k in starts]


def lstm_step(x, h, c, w_ih, w_hh, b_ih, b_hh):
    sums = [a + b for a, b in zip(split(x, w_ih, b_ih, 4), split(h, w_hh, b_hh, 4), strict=True)]
    i, f, g, o = sums[0].sigmoid(), sums[1].sigmoid(), sums[2].tanh(), sums[3].sigmoid()
    c = f * c + i * g
    return o * c.tanh(), c


def gru_step(x, h, w_ih, w_hh, b_ih, b_hh):
    a, b = split(x, w_ih, b_ih, 3), split(h, w_hh, b_hh, 3)
    reset, keep = (a[0] + b[0]).sigmoid(), (a[1] + b[1]).sigmoid()
    candidate = (a[2] + reset * b[2]).tanh()
    return candidate + keep * (h - candidate)
