"""One product for each side, then blocks of the last dimension."""

import torch


def lstm_step(x, h, c, w_ih, w_hh, b_ih, b_hh):
    blocks = x @ w_ih.T + b_ih + h @ w_hh.T + b_hh
    i, f, g, o = blocks.chunk(4, dim=-1)
    kept = torch.sigmoid(f) * c
    added = torch.sigmoid(i) * torch.tanh(g)
    c_new = kept + added
    h_new = torch.sigmoid(o) * torch.tanh(c_new)
    return h_new, c_new


def gru_step(x, h, w_ih, w_hh, b_ih, b_hh):
    x_r, x_z, x_n = (x @ w_ih.T + b_ih).chunk(3, dim=-1)
    h_r, h_z, h_n = (h @ w_hh.T + b_hh).chunk(3, dim=-1)
    r = torch.sigmoid(x_r + h_r)
    z = torch.sigmoid(x_z + h_z)
    n = torch.tanh(x_n + r * h_n)
    return (1 - z) * n + z * h
