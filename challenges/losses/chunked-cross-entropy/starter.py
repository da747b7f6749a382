import torch  # noqa: F401 - torch.autograd.Function may be used
from torch import Tensor


def chunked_cross_entropy(
    hidden: Tensor, weight: Tensor, target: Tensor, chunk: int, ignore_index: int = -100, label_smoothing: float = 0.0
) -> Tensor:
    """The mean cross entropy of hidden @ weight.T, with at most `chunk` rows of logits at a time."""
    raise NotImplementedError
