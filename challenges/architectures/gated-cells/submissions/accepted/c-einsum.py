"""The blocks are a dimension of their own; a sigmoid is half of a tanh."""

import torch


def gate(z):
    return 0.5 + 0.5 * torch.tanh(0.5 * z)


def blocks_of(v, weight, bias, count):
    hidden = len(bias) // count
    weight, bias = weight.reshape(count, hidden, -1), bias.reshape(count, hidden)
    found = torch.einsum("...d,khd->...kh", v, weight) + bias
    return found.unbind(-2)


def lstm_step(x, h, c, w_ih, w_hh, b_ih, b_hh):
    from_x, from_h = blocks_of(x, w_ih, b_ih, 4), blocks_of(h, w_hh, b_hh, 4)
    i, f, g, o = (p + q for p, q in zip(from_x, from_h, strict=True))
    c_new = torch.addcmul(gate(f) * c, gate(i), torch.tanh(g))
    return gate(o) * torch.tanh(c_new), c_new


def gru_step(x, h, w_ih, w_hh, b_ih, b_hh):
    (x_r, x_z, x_n), (h_r, h_z, h_n) = blocks_of(x, w_ih, b_ih, 3), blocks_of(h, w_hh, b_hh, 3)
    n = torch.tanh(torch.addcmul(x_n, gate(x_r + h_r), h_n))
    z = gate(x_z + h_z)
    return n - z * n + z * h
