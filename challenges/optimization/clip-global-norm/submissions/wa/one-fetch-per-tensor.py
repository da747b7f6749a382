# caught by: test_one_fetch_at_most[default]
"""A number per parameter: on an accelerator each one waits."""

import torch


@torch.no_grad()
def clip_global_norm_(params, max_norm, error_if_nonfinite=False):
    params = [params] if isinstance(params, torch.Tensor) else params
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    total = sum(torch.linalg.vector_norm(g).item() ** 2 for g in grads)
    norm = torch.tensor(total, dtype=grads[0].dtype).sqrt()
    if error_if_nonfinite and not torch.isfinite(norm):
        raise RuntimeError("the norm of the gradients is not finite")
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(factor)
    return norm
