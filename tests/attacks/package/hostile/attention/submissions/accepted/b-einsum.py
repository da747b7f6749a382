import torch


def attention(q, k, v):
    scores = torch.einsum("...td,...sd->...ts", q, k) * q.shape[-1] ** -0.5
    scores = scores - scores.amax(-1, keepdim=True)
    weights = scores.exp()
    return (weights / weights.sum(-1, keepdim=True)) @ v
