# caught by: test_nothing_to_clip
"""torch.stack refuses an empty list."""

import torch


@torch.no_grad()
def clip_global_norm_(params, max_norm, error_if_nonfinite=False):
    params = [params] if isinstance(params, torch.Tensor) else params
    grads = [p.grad for p in params if p.grad is not None]
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in grads]))
    if error_if_nonfinite and not torch.isfinite(norm):
        raise RuntimeError("the norm of the gradients is not finite")
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(factor)
    return norm
