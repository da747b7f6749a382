"""Rows as lists; probabilities by hand; the mode is restored by train()."""

import torch


def next_token(scores, temperature=1.0, top_k=None, generator=None):
    if not temperature >= 0 or not (top_k is None or top_k >= 1):
        raise ValueError("bad settings")
    if not temperature:
        return torch.tensor([row.index(max(row)) for row in scores.tolist()])
    p = []
    for row in scores / temperature:
        kept = row
        if top_k is not None:
            border = sorted(row.tolist(), reverse=True)[: top_k][-1]
            kept = row.masked_fill(row < border, -float("inf"))
        weights = (kept - kept.max()).exp()
        p.append(weights / weights.sum())
    return torch.multinomial(torch.stack(p), 1, generator=generator).flatten()


def generate(model, ids, steps, temperature=1.0, top_k=None, end=None, generator=None):
    modules = list(model.modules())
    modes = [m.training for m in modules]
    for m in modules:
        m.training = False
    rows, done = ids.tolist(), [False] * len(ids)
    with torch.no_grad():
        for _ in range(steps):
            if all(done):
                for row in rows:
                    row.append(end)
                continue
            window = torch.tensor([row[-model.embed.context :] for row in rows])
            chosen = next_token(model(window)[:, -1], temperature, top_k, generator).tolist()
            for i, token in enumerate(chosen):
                rows[i].append(end if done[i] else token)
                done[i] = done[i] or (end is not None and token == end)
    for m, mode in zip(modules, modes):
        m.training = mode
    return torch.tensor(rows, dtype=torch.int64)
