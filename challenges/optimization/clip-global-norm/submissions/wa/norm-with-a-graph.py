# caught by: test_gradients_with_a_history
"""The norm is recorded."""

import torch


def clip_global_norm_(params, max_norm, error_if_nonfinite=False):
    params = [params] if isinstance(params, torch.Tensor) else params
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in grads]))
    if error_if_nonfinite and not torch.isfinite(norm):
        raise RuntimeError("the norm of the gradients is not finite")
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    with torch.no_grad():
        for grad in grads:
            grad.mul_(factor)
    return norm
