"""Tensors: the running rows stay in lexicographic order, so a stable sort of the flattened scores decides ties as asked."""

import torch


def beam_search(step, prompt, eos, beam_width, max_new_tokens, alpha=0.0):
    if min(beam_width, max_new_tokens) <= 0:
        raise ValueError("at least one beam and one token")
    start = torch.tensor(prompt, dtype=torch.int64)
    rows = start[None]
    scores = torch.zeros(1, dtype=torch.float64)
    results = []

    def note(rows, scores):
        new = rows[:, len(prompt) :]
        for tokens, score in zip(new.tolist(), scores.tolist()):
            results.append((-(score / len(tokens) ** alpha), tokens))

    for _ in range(max_new_tokens):
        log_probs = step(rows)
        total = (scores[:, None] + log_probs).flatten()
        values, order = total.sort(descending=True, stable=True)
        order = order[values > -torch.inf][:beam_width]
        # Back to lexicographic order: parents are sorted, and so are the tokens of a parent.
        order = order.sort().values
        parents, tokens = order // log_probs.shape[1], order % log_probs.shape[1]
        rows = torch.cat([rows[parents], tokens[:, None]], dim=1)
        scores = total[order]
        ended = tokens == eos
        note(rows[ended], scores[ended])
        rows, scores = rows[~ended], scores[~ended]
        if len(rows) == 0:
            break
    note(rows, scores)
    results.sort()
    return [(tokens, -value) for value, tokens in results[:beam_width]]
