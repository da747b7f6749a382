"""Adam with weight decay in two forms, and the L2 penalty."""

from collections.abc import Iterable

from torch import Tensor


def adam_step_(
    p: Tensor,
    g: Tensor,
    state: dict,
    lr: float = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    wd: float = 0.0,
    decoupled: bool = True,
) -> None:
    """One step in place: decay through the gradient (coupled) or on the weights (decoupled)."""
    raise NotImplementedError


def l2_penalty(params: Iterable[Tensor], wd: float) -> Tensor:
    """Half of wd times the sum of all squares."""
    raise NotImplementedError
