# caught by: test_values_and_gradients[1-time-first]
"""Multiplies with the recurrent matrix from the wrong side."""

import torch


def rnn_forward(x, h0, params, batch_first=False):
    if x.dim() == 2:
        state = None if h0 is None else h0.unsqueeze(1)
        output, h_n = rnn_forward(x.unsqueeze(1), state, params)
        return output.squeeze(1), h_n.squeeze(1)
    if batch_first:
        x = x.transpose(0, 1)
    hidden = params[0][1].shape[0]
    if h0 is None:
        h0 = x.new_zeros(len(params), x.shape[1], hidden)
    if h0.shape != (len(params), x.shape[1], hidden):
        raise ValueError("h0 must be (layers, batch, hidden), whatever the layout of x")
    last = []
    for state, (w_ih, w_hh, b_ih, b_hh) in zip(h0, params):
        states = []
        for seen in x:
            state = torch.tanh(seen @ w_ih.T + b_ih + state @ w_hh + b_hh)
            states.append(state)
        x = torch.stack(states)
        last.append(state)
    return (x.transpose(0, 1) if batch_first else x), torch.stack(last)
