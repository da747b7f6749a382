"""Starting values for every kind of layer, for use with model.apply."""

from torch import nn


def init_weights(module: nn.Module) -> None:
    """Initialise the parameters of this one module, in place."""
    raise NotImplementedError
