"""Reference: the gradients are computed in the forward pass, while the logits of a chunk are there; backward scales them."""

import torch
from torch import Tensor


class ChunkedLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight, target, chunk, eps):
        n, classes = max(len(target), 1), len(weight)
        total = hidden.new_zeros(())
        d_hidden, d_weight = torch.zeros_like(hidden), torch.zeros_like(weight)
        for start in range(0, len(target), chunk):
            rows = slice(start, start + chunk)
            h, t = hidden[rows], target[rows, None]
            log_p = torch.log_softmax(h @ weight.T, dim=-1)
            total -= (1 - eps) * log_p.gather(1, t).sum() + eps / classes * log_p.sum()
            d_logits = log_p.exp_().sub_(eps / classes)
            d_logits.scatter_add_(1, t, torch.full_like(d_logits[:, :1], eps - 1))
            d_hidden[rows] = d_logits @ weight / n
            d_weight += d_logits.T @ h / n
        ctx.save_for_backward(d_hidden, d_weight)
        return total / n

    @staticmethod
    def backward(ctx, grad):
        d_hidden, d_weight = ctx.saved_tensors
        return grad * d_hidden, grad * d_weight, None, None, None


def chunked_cross_entropy(
    hidden: Tensor, weight: Tensor, target: Tensor, chunk: int, ignore_index: int = -100, label_smoothing: float = 0.0
) -> Tensor:
    kept = target != ignore_index
    return ChunkedLoss.apply(hidden[kept], weight, target[kept], chunk, label_smoothing)
