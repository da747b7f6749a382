"""The input's part of all times in one product; tanh from exponentials of a negative number."""

import torch


def tanh(z):
    small = torch.exp(-2 * z.abs())
    return torch.sign(z) * (1 - small) / (1 + small)


def layer(x, h, w_ih, w_hh, b_ih, b_hh):
    ahead = torch.einsum("tbd,hd->tbh", x, w_ih) + (b_ih + b_hh)
    found = []
    for t in range(len(x)):
        h = tanh(ahead[t] + torch.einsum("bk,hk->bh", h, w_hh))
        found.append(h[None])
    return torch.cat(found), h


def rnn_forward(x, h0, params, batch_first=False):
    single = x.dim() < 3
    if single:
        x, h0 = x[:, None], h0 if h0 is None else h0[:, None]
    elif batch_first:
        x = x.permute(1, 0, 2)
    size = params[0][3].numel()
    if h0 is None:
        h0 = torch.zeros(len(params), x.size(1), size).to(x)
    elif h0.dim() != 3 or h0.size(0) != len(params) or h0.size(1) != x.size(1) or h0.size(2) != size:
        raise ValueError("the initial state has the wrong shape")
    finals = []
    for h, weights in zip(h0, params):
        x, h = layer(x, h, *weights)
        finals.append(h)
    h_n = torch.stack(finals)
    if single:
        return x[:, 0], h_n[:, 0]
    return x.permute(1, 0, 2) if batch_first else x, h_n
