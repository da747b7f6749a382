"""Plain Python on lists, row by row; all uniform numbers are drawn before."""

import torch


def pick(weights, u):
    """The first index at which the running sum exceeds a share u of the whole."""
    goal, total, last = u * sum(weights), 0.0, 0
    for i, w in enumerate(weights):
        if w > 0:
            total, last = total + w, i
            if total > goal:
                return i
    return last


def verify(draft_tokens, draft_probs, target_probs, generator=None):
    B, K = draft_tokens.shape[0], draft_tokens.shape[1]
    if target_probs.shape[:2] != (B, K + 1) or draft_probs.shape[:2] != (B, K):
        raise ValueError("B or K")
    if draft_probs.shape[2] != target_probs.shape[2]:
        raise ValueError("V")
    u = torch.rand(B, K + 1, generator=generator, dtype=torch.float64).tolist()
    tokens, accepted = [], []
    everything = zip(draft_tokens.tolist(), draft_probs.tolist(), target_probs.tolist(), u)
    for xs, qs, ps, us in everything:
        row, k = [], 0
        while k < K and us[k] * qs[k][xs[k]] < ps[k][xs[k]]:
            row.append(xs[k])
            k += 1
        weights = ps[K] if k == K else [max(0.0, a - b) for a, b in zip(ps[k], qs[k])]
        row.append(pick(weights if any(weights) else ps[k], us[K]))
        tokens.append(row + [-1] * (K - k))
        accepted.append(k)
    return torch.tensor(tokens), torch.tensor(accepted)
