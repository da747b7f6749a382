"""A loop over places with the set of rows that are still running; draws by a race of exponentials."""

import torch


def draw(weights, generator):
    """One index for each row, in proportion to the weights."""
    race = torch.empty(weights.shape, dtype=torch.float64).exponential_(generator=generator)
    return (weights.double() / race).argmax(dim=-1)


def verify(draft_tokens, draft_probs, target_probs, generator=None):
    if draft_tokens.dim() != 2 or draft_probs.dim() != 3 or target_probs.dim() != 3:
        raise ValueError("wrong number of dimensions")
    B, K = draft_tokens.shape
    V = draft_probs.shape[2]
    if tuple(draft_probs.shape) != (B, K, V) or tuple(target_probs.shape) != (B, K + 1, V):
        raise ValueError("shapes do not fit")
    out = torch.full((B, K + 1), -1)
    accepted = torch.zeros(B, dtype=torch.int64)
    running = torch.arange(B)
    for k in range(K):
        x = draft_tokens[running, k]
        p, q = target_probs[running, k], draft_probs[running, k]
        at = torch.arange(len(running))
        ratio = p[at, x] / q[at, x]
        ok = torch.rand(len(running), dtype=ratio.dtype, generator=generator) < ratio
        out[running[ok], k] = x[ok]
        accepted[running[ok]] += 1
        if not ok.all():
            left = torch.relu(p[~ok] - q[~ok])
            empty = left.sum(1) == 0
            left[empty] = p[~ok][empty]
            out[running[~ok], k] = draw(left, generator)
        running = running[ok]
    if len(running) > 0:
        out[running, K] = draw(target_probs[running, K], generator)
    return out, accepted
