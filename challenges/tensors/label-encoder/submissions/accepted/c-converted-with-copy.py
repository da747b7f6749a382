"""as_tensor, and a copy made explicit on the way to the dtype."""

import torch


def encode(ids, scores):
    labels = torch.as_tensor(ids).to(torch.long, copy=True)
    return labels, torch.as_tensor(scores, dtype=torch.float).clone()
