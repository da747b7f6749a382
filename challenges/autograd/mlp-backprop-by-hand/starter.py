"""A network with one hidden layer, differentiated by hand."""

from torch import Tensor


def loss_and_gradients(
    x: Tensor, labels: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the mean cross-entropy, and its gradients by the names of the arguments: x, w1, b1, w2, b2."""
    raise NotImplementedError
