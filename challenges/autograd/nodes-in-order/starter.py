"""The graph behind a tensor, as lists."""

from torch import Tensor
from torch.autograd.graph import Node


def nodes_of(t: Tensor) -> list[Node]:
    """The nodes behind t, each once, results before inputs; empty without a grad_fn."""
    raise NotImplementedError


def leaves_of(t: Tensor) -> list[Tensor]:
    """The leaves that t.backward() would give a gradient, each once."""
    raise NotImplementedError
