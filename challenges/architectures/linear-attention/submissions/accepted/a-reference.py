"""A triangle inside a chunk, and the state for what lies before it."""

import torch
import torch.nn.functional as F
from torch import Tensor

State = tuple[Tensor, Tensor]


def features(x: Tensor) -> Tensor:
    # 1 + elu(x), without the cancellation below zero
    return F.relu(x) + x.clamp(max=0).exp()


def parallel(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    weights = (features(q) @ features(k).mT).tril()
    return weights @ v / weights.sum(-1, keepdim=True)


def step(state: State | None, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, State]:
    q, k = features(q), features(k)
    S, z = k[..., :, None] * v[..., None, :], k
    if state is not None:
        S, z = state[0] + S, state[1] + z
    y = (q[..., None, :] @ S)[..., 0, :] / (q * z).sum(-1, keepdim=True)
    return y, (S, z)


def chunked(q: Tensor, k: Tensor, v: Tensor, size: int, state: State | None = None) -> tuple[Tensor, State]:
    B, H, T, e = q.shape
    S, z = state or (q.new_zeros(B, H, e, v.shape[-1]), q.new_zeros(B, H, e))
    out = []
    for start in range(0, T, size):
        fq, fk, part = (x[:, :, start : start + size] for x in (q, k, v))
        fq, fk = features(fq), features(fk)
        weights = (fq @ fk.mT).tril()
        above = fq @ S + weights @ part
        below = fq @ z[..., None] + weights.sum(-1, keepdim=True)
        out.append(above / below)
        S, z = S + fk.mT @ part, z + fk.sum(2)
    return torch.cat(out, dim=2), (S, z)
