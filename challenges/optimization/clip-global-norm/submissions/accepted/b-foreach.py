"""All tensors at once with the foreach operators."""

import torch


def clip_global_norm_(params, max_norm, error_if_nonfinite=False):
    if torch.is_tensor(params):
        params = (params,)
    grads = [g.detach() for g in (p.grad for p in params) if g is not None]
    if len(grads) == 0:
        return torch.tensor(0.0)
    norm = torch.stack(torch._foreach_norm(grads, 2)).norm()
    if error_if_nonfinite and (norm.isnan() | norm.isinf()):
        raise RuntimeError("not finite")
    torch._foreach_mul_(grads, torch.clamp(max_norm / (norm + 1e-6), max=1.0))
    return norm
