"""Counts with scatter_add into one column more, for the padding; probabilities for min-p; a padded table for the automaton."""

import torch


def allowed_tokens(tokens, table):
    S, V = table.shape
    # One column more, at index -1, where padding stays in its state; one state more, at index -1, for what is forbidden.
    stay = torch.arange(S)[:, None]
    wide = torch.cat([table, stay], dim=1)
    wide = torch.cat([wide, torch.full((1, V + 1), -1)], dim=0)
    state = torch.zeros(tokens.shape[0], dtype=torch.long)
    for t in range(tokens.shape[1]):
        state = wide[state, tokens[:, t]]
    if bool((state == -1).any()):
        raise ValueError("forbidden text")
    return table[state] != -1


def process_logits(
    logits, tokens, table=None, repetition_penalty=1.0, frequency_penalty=0.0, temperature=1.0, min_p=0.0
):
    if not repetition_penalty > 0:
        raise ValueError("repetition_penalty")
    if not temperature > 0:
        raise ValueError("temperature")
    if min_p < 0 or min_p > 1:
        raise ValueError("min_p")
    B, V = logits.shape
    minus = torch.full_like(logits, float("-inf"))
    x = logits
    if table is not None:
        x = torch.where(allowed_tokens(tokens, table), x, minus)
    slots = torch.where(tokens < 0, torch.full_like(tokens, V), tokens)
    counts = torch.zeros(B, V + 1, dtype=x.dtype).scatter_add(1, slots, torch.ones_like(slots, dtype=x.dtype))[:, :V]
    factor = torch.ones_like(x)
    factor[(counts > 0) & (x > 0)] = 1.0 / repetition_penalty
    factor[(counts > 0) & (x <= 0)] = repetition_penalty
    x = (x * factor - counts * frequency_penalty) / temperature
    p = x.detach().softmax(dim=-1)
    keep = p >= min_p * p.max(dim=-1, keepdim=True).values
    return torch.where(keep, x, minus)
