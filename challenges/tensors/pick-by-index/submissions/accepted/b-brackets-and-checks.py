"""Square brackets with a check in front, a comparison, index_put and a masked copy."""

import torch


def check(idx, n):
    if idx.numel() and not (0 <= idx.min() and idx.max() < n):
        raise IndexError("out of range")


def action_log_probs(logits, actions):
    check(actions, logits.shape[-1])
    logps = (logits - logits.logsumexp(-1, keepdim=True)).reshape(-1, logits.shape[-1])
    return logps[torch.arange(actions.numel()), actions.reshape(-1)].reshape(actions.shape)


def one_hot(idx, n):
    check(idx, n)
    return (idx[..., None] == torch.arange(n)).long()


def segment_sum(values, ids, n):
    check(ids, n)
    return torch.zeros(n, *values.shape[1:], dtype=values.dtype).index_put((ids,), values, accumulate=True)


def safe_sqrt(x):
    out = torch.zeros_like(x)
    out[x > 0] = x[x > 0].sqrt()
    return out
