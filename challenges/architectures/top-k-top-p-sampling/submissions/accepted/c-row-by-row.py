"""A loop over rows with Python lists of ids; draws by inverting the cumulative sum."""

import torch


def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature < 0:
        raise ValueError("temperature")
    if top_k is not None and top_k <= 0:
        raise ValueError("top_k")
    if top_p is not None and (top_p > 1 or top_p <= 0):
        raise ValueError("top_p")
    if logits.dtype == torch.bfloat16:
        logits = logits.to(torch.float32)
    rows = []
    for row in logits.flatten(0, -2) if logits.dim() > 1 else [logits]:
        values = row.tolist()
        kept = sorted(range(len(values)), key=lambda i: (-values[i], i))
        if temperature == 0:
            kept = kept[:1]
        elif top_k is not None:
            kept = kept[:top_k]
        p = torch.log_softmax(row[kept] / (temperature or 1.0), dim=0).exp()
        if top_p is not None and top_p < 1:
            total, count = 0.0, 0
            for share in p.tolist():
                total, count = total + share, count + 1
                if total >= top_p:
                    break
            kept, p = kept[:count], p[:count] / p[:count].sum()
        rows.append(torch.zeros_like(row).index_put((torch.tensor(kept),), p))
    return torch.stack(rows).reshape(logits.shape) if rows else logits.clone()


def sample(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    probs = next_token_probs(logits.detach(), temperature, top_k, top_p).double()
    sums = probs.cumsum(-1)
    u = torch.rand(*sums.shape[:-1], 1, dtype=torch.float64, generator=generator) * sums[..., -1:]
    first = (sums <= u).sum(-1)
    return first.clamp(max=logits.shape[-1] - 1)
