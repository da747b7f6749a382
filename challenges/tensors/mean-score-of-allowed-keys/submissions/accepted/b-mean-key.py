"""The mean of the scores is the score of the mean key."""

import torch


def masked_scores(q, k, mask):
    allowed = mask.to(q.dtype)
    weights = allowed / torch.where(mask.any(-1, keepdim=True), allowed.sum(-1, keepdim=True), 1.0)
    mean_key = torch.matmul(weights, k)
    return (q * mean_key).sum(-1) * q.size(-1) ** -0.5
