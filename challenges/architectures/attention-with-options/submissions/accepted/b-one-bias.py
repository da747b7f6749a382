"""All masks become one bias; NaN rows are swept after a where has cut them off."""

import torch


def bias_of(mask, causal, like):
    bias = torch.zeros_like(like)
    if mask is not None:
        bias = bias + (torch.where(mask, 0.0, -torch.inf) if mask.dtype == torch.bool else mask.to(like.dtype))
    if causal:
        rows, columns = (torch.arange(n, device=like.device) for n in like.shape[-2:])
        bias = torch.where(columns > rows[:, None], -torch.inf, bias)
    return bias


def attention(q, k, v, mask=None, causal=False, dropout_p=0.0):
    if dropout_p < 0 or dropout_p >= 1:
        raise ValueError(f"no probability of dropout: {dropout_p}")
    q_, k_, v_ = (x.double() for x in (q, k, v))
    scores = torch.einsum("...td,...sd->...ts", q_ * q.shape[-1] ** -0.5, k_)
    bias = bias_of(mask, causal, scores)
    hidden = bias.detach().isneginf()
    logits = torch.where(hidden, torch.finfo(torch.float64).min, scores + torch.where(hidden, 0.0, bias))
    weights = torch.softmax(logits, -1) * ~hidden
    if dropout_p:
        weights = weights * (torch.rand_like(weights) >= dropout_p) / (1 - dropout_p)
    return torch.einsum("...ts,...sv->...tv", weights, v_).type_as(q)
