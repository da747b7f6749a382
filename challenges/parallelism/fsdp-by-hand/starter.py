import torch  # noqa: F401 - torch.autograd.Function may be used
from torch import Tensor


def flat_shard(tensors: list[Tensor], rank: int, size: int) -> Tensor:
    """This rank's piece of all tensors in one line, with zeros at the end so that all pieces are equally long."""
    raise NotImplementedError


def unshard(shard: Tensor, shapes: list[tuple[int, ...]], group) -> list[Tensor]:
    """The whole tensors, gathered from all ranks."""
    raise NotImplementedError


def sharded_linear(x: Tensor, shard: Tensor, out_features: int, group) -> Tensor:
    """x (..., d) gives (..., out_features): the parameters are gathered for the product and freed after it."""
    raise NotImplementedError
