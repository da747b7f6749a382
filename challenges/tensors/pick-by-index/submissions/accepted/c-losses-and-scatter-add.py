"""Cross entropy is a negative log-probability; scatter_add with an expanded index; masked_fill around the root."""

import torch
import torch.nn.functional as F


def action_log_probs(logits, actions):
    width = logits.size(-1)
    if torch.any((actions < 0) | (actions >= width)):
        raise ValueError("no such action")
    losses = F.nll_loss(F.log_softmax(logits.reshape(-1, width), dim=1), actions.reshape(-1), reduction="none")
    return -losses.view(actions.shape)


def one_hot(idx, n):
    if torch.any((idx < 0) | (idx >= n)):
        raise ValueError("no such index")
    return torch.eye(n, dtype=torch.long)[idx]


def segment_sum(values, ids, n):
    where = ids.view(-1, *[1] * (values.dim() - 1)).expand_as(values)
    out = torch.zeros((n, *values.shape[1:]), dtype=values.dtype)
    return out.scatter_add(0, where, values)


def safe_sqrt(x):
    out = ~(x > 0)
    return x.masked_fill(out, 1.0).sqrt().masked_fill(out, 0.0)
