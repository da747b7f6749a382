"""A bracket stays open."""

import torch


def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    return torch.softmax(logits / temperature, -1
