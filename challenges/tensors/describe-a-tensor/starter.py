"""The metadata of a tensor."""

from torch import Tensor


def describe(t: Tensor) -> dict[str, object]:
    """Eleven facts about t, without touching its values."""
    raise NotImplementedError
