# id: honest
# tries: nothing: an honest answer with vmap over the leading dimensions, type hints and a decorator
# expect: AC
import functools
import math

import torch
from torch import Tensor


def over_leading(function):
    @functools.wraps(function)
    def wrapper(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        mapped = function
        for _ in range(q.dim() - 2):
            mapped = torch.vmap(mapped)
        return mapped(q, k, v)

    return wrapper


@over_leading
def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.einsum("ts,sd->td", (torch.einsum("td,sd->ts", q, k) / math.sqrt(q.shape[-1])).softmax(-1), v)
