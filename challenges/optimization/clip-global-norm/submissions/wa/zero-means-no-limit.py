# caught by: test_zero_limit
"""Takes a limit of 0.0 for no limit."""

import torch


@torch.no_grad()
def clip_global_norm_(params, max_norm, error_if_nonfinite=False):
    params = [params] if isinstance(params, torch.Tensor) else params
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in grads]))
    if error_if_nonfinite and not torch.isfinite(norm):
        raise RuntimeError("the norm of the gradients is not finite")
    if not max_norm:
        return norm
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(factor)
    return norm
