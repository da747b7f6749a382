"""A sequence is a bag of rows with weights. The sum of the weights is divided out at the end."""

import torch
import torch.nn.functional as F


def pooled(scores, values, lengths):
    if not len(scores):
        return values.new_zeros(len(lengths), values.shape[1])
    starts = lengths.cumsum(0) - lengths
    top = torch.segment_reduce(scores.contiguous(), "max", lengths=lengths, initial=float("-inf"))
    weights = (scores - top.repeat_interleave(lengths)).exp_()
    rows = torch.arange(len(scores))
    out = F.embedding_bag(rows, values.contiguous(), starts, mode="sum", per_sample_weights=weights)
    total = torch.segment_reduce(weights, "sum", lengths=lengths, initial=0.0)
    return out.div_(total.masked_fill_(lengths == 0, 1.0)[:, None])
