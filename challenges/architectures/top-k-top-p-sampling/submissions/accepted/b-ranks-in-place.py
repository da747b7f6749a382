"""Stays in the order of the vocabulary: the rank of each token comes from sorting twice; draws by the Gumbel maximum."""

import torch


def checked(temperature, top_k, top_p):
    if not temperature >= 0 or (top_k is not None and top_k <= 0) or (top_p is not None and (top_p <= 0 or top_p > 1)):
        raise ValueError("temperature >= 0, top_k >= 1 and 0 < top_p <= 1 are needed")


def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    checked(temperature, top_k, top_p)
    x = logits.to(torch.promote_types(logits.dtype, torch.float32))
    order = torch.argsort(-x, dim=-1, stable=True)
    rank = torch.argsort(order, dim=-1)
    if temperature == 0:
        return torch.where(rank == 0, 1.0, 0.0).to(x.dtype)
    p = torch.softmax(x / temperature, dim=-1)
    if top_k is not None:
        p = p * (rank < top_k)
        p = p / p.sum(-1, keepdim=True)
    if top_p is not None:
        sums = p.detach().gather(-1, order).cumsum(-1)
        enough = (sums < top_p).sum(-1, keepdim=True)  # ranks before the one that reaches top_p
        if top_p < 1:
            p = p * (rank <= enough)
        p = p / p.sum(-1, keepdim=True)
    return p


def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    with torch.no_grad():
        p = next_token_probs(logits, temperature, top_k, top_p)
        if temperature == 0:
            return p.argmax(-1)
        race = torch.empty_like(p).exponential_(generator=generator)
        return (p / race).argmax(-1)
