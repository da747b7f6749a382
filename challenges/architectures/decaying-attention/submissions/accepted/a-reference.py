"""Reference: a table of decays for the pairs of a chunk, and a state that decays by what a chunk is long."""

import torch
from torch import Tensor


def decays(gamma: Tensor, length: int) -> Tensor:
    """Return gamma ** (t - s) for t >= s and 0 for later tokens, (H, T, T)."""
    place = torch.arange(length)
    distance = place[:, None] - place
    # A negative exponent would overflow, and its gradient would be NaN behind the mask.
    return (gamma[:, None, None] ** distance.clamp(min=0)).tril()


def parallel(q: Tensor, k: Tensor, v: Tensor, gamma: Tensor) -> Tensor:
    scores = q @ k.mT * q.shape[-1] ** -0.5
    return (scores * decays(gamma, q.shape[2])) @ v


def step(state: Tensor | None, q: Tensor, k: Tensor, v: Tensor, gamma: Tensor) -> tuple[Tensor, Tensor]:
    new = k[..., :, None] * v[..., None, :]
    if state is not None:
        new = new + gamma[:, None, None] * state
    return (q[..., None, :] @ new).squeeze(-2) * q.shape[-1] ** -0.5, new


def chunked(
    q: Tensor, k: Tensor, v: Tensor, gamma: Tensor, size: int, state: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    if state is None:
        state = q.new_zeros(*q.shape[:2], q.shape[3], v.shape[3])
    outputs = []
    for some_q, some_k, some_v in zip(q.split(size, 2), k.split(size, 2), v.split(size, 2), strict=True):
        length = some_q.shape[2]
        age = torch.arange(length)
        since = gamma[:, None, None] ** (age + 1)[:, None]  # from the state before the chunk to each token
        until = gamma[:, None, None] ** age.flip(0)[:, None]  # from each token to the end of the chunk
        before = since * (some_q @ state) * q.shape[-1] ** -0.5
        outputs.append(parallel(some_q, some_k, some_v, gamma) + before)
        state = gamma[:, None, None] ** length * state + (until * some_k).mT @ some_v
    return torch.cat(outputs, dim=2), state
