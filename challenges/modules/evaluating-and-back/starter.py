"""Two helpers that change modes for a while."""

from contextlib import AbstractContextManager

from torch import Tensor, nn


def evaluating(model: nn.Module) -> AbstractContextManager[nn.Module]:
    """A context in which the model evaluates; afterwards every flag is as it was."""
    raise NotImplementedError


def mc_dropout(model: nn.Module, x: Tensor, samples: int) -> Tensor:
    """Outputs of several passes with active dropout, of shape (samples, *output shape)."""
    raise NotImplementedError
