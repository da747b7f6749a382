"""Transforms that can be pickled."""

from torch import Tensor


def doubled(x: Tensor) -> Tensor:
    return 2 * x


def flattened(x: Tensor) -> Tensor:
    return x.reshape(-1)


def negated(label: int) -> int:
    return -label - 1


def named(label: int) -> str:
    return f"class {label}"


TRANSFORMS = {"doubled": doubled, "flattened": flattened}
TARGET_TRANSFORMS = {"negated": negated, "named": named}
