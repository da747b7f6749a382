"""Reference: a loop over experts; each takes a prefix of the choices that name it."""

import torch
from torch import Tensor


def moe(
    x: Tensor, router: Tensor, w_in: Tensor, w_out: Tensor, k: int, capacity: int | None = None
) -> tuple[Tensor, Tensor]:
    p = (x @ router.T).softmax(-1)  # (N, E)
    top, chosen = p.topk(k, dim=-1)  # (N, k)
    gates = top / top.sum(-1, keepdim=True)
    y = torch.zeros_like(x)
    for e in range(len(router)):
        slot, token = (chosen.T == e).nonzero(as_tuple=True)  # first choices first, each in the order of the tokens
        slot, token = slot[:capacity], token[:capacity]
        out = (x[token] @ w_in[e]).relu() @ w_out[e]
        y = y.index_add(0, token, gates[token, slot, None] * out)
    share = chosen.flatten().bincount(minlength=len(router)).to(x.dtype) / chosen.numel()
    return y, len(router) * (share * p.mean(0)).sum()
