"""One query after the other, with the keys that it may see: nothing is masked, and each row adds to the gradients."""

import itertools
import math

import torch


def views(lead, *tensors):
    return [t.expand(*lead, *t.shape[-2:]) for t in tensors]


def leading(q, k, v, mask):
    shape = () if mask is None else torch.broadcast_shapes(mask.shape, (q.shape[-2], k.shape[-2]))[:-2]
    return torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2], shape)


def rows(q, k, lead, mask):
    """Where each query stands, and the indices of its keys."""
    allowed = torch.ones(1, 1, dtype=torch.bool) if mask is None else mask
    allowed = allowed.expand(*lead, q.shape[-2], k.shape[-2])
    for place in itertools.product(*map(range, allowed.shape[:-1])):
        seen = allowed[place].nonzero().squeeze(1)
        if len(seen):
            yield place[:-1], place[-1], seen


def attention(q, k, v, mask=None):
    lead = leading(q, k, v, mask)
    out = v.new_zeros(*lead, q.shape[-2], v.shape[-1])
    Q, K, V = views(lead, q, k, v)
    for b, t, s in rows(q, k, lead, mask):
        p = (K[b][s] @ Q[b][t] / math.sqrt(q.shape[-1])).softmax(0)
        out[b][t] = p @ V[b][s]
    return out


def attention_backward(q, k, v, grad, mask=None):
    lead = leading(q, k, v, mask)
    Q, K, V = views(lead, q, k, v)
    dq, dk, dv = (torch.zeros(t.shape, dtype=t.dtype) for t in (q, k, v))
    DQ, DK, DV = views(lead, dq, dk, dv)
    for b, t, s in rows(q, k, lead, mask):
        p = (K[b][s] @ Q[b][t] / math.sqrt(q.shape[-1])).softmax(0)
        DV[b].index_add_(0, s, torch.outer(p, grad[b][t]))
        dp = V[b][s] @ grad[b][t]
        dz = p * (dp - p.dot(dp)) / math.sqrt(q.shape[-1])
        DQ[b][t] += dz @ K[b][s]
        DK[b].index_add_(0, s, torch.outer(dz, Q[b][t]))
    return dq, dk, dv
