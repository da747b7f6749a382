"""Beam search."""

from collections.abc import Callable

from torch import Tensor


def beam_search(
    step: Callable[[Tensor], Tensor],
    prompt: list[int],
    eos: int,
    beam_width: int,
    max_new_tokens: int,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The best hypotheses, best first, as pairs of new tokens and score / length ** alpha."""
    raise NotImplementedError
