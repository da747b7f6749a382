"""Functions that can be handed over, and differentiated twice."""

from collections.abc import Callable

import torch
from torch import Tensor

KINDS: dict[str, Callable[[Tensor, Tensor | None], Tensor]] = {
    "three": lambda x, w: torch.stack([x[0] * x[1], x[0] ** 2, 3 * x[1]]),
    "sum-of-cubes": lambda x, w: (x**3).sum(),
    "sum-of-squares": lambda x, w: x.square().sum(),
    "one-by-one": lambda x, w: x.square().sum().reshape(1, 1),
    "norm": lambda x, w: torch.linalg.vector_norm(x),
    "log-sum-exp": lambda x, w: torch.logsumexp(x, 0),
    "normalised": lambda x, w: x / x.norm(),
    "tanh-product": lambda x, w: torch.tanh(x) @ w,
    "product": lambda x, w: w @ x,
    "power": lambda x, w: x**7,
    "circle": lambda x, w: torch.stack([x.sin(), x.cos()]),
    "exp": lambda x, w: x.exp(),
    "double": lambda x, w: 2 * x,
}


class Map:
    """The function of this name, with a weight for those that have one."""

    def __init__(self, kind: str, weight: Tensor | None = None) -> None:
        self.function, self.weight = KINDS[kind], weight

    def __call__(self, x: Tensor) -> Tensor:
        return self.function(x, self.weight)
