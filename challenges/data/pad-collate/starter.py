"""A collate function for samples of different length."""

from torch import Tensor


def pad_collate(
    samples: list[tuple[Tensor, int | Tensor]], pad_value: int = 0, sort: bool = False
) -> dict[str, Tensor]:
    """Return {"ids", "lengths", "mask", "labels", "restore"} for a list of pairs (ids, label)."""
    raise NotImplementedError
