"""Statistics of a generator, which can be read once."""

from torch import Tensor


def from_a_generator(solution, batches: list[Tensor]) -> tuple[Tensor, Tensor]:
    """What channel_statistics gives for a generator of the batches."""
    return tuple(solution.channel_statistics(batch for batch in batches))
