"""Reading and writing at positions that the data give."""

from torch import Tensor


def action_log_probs(logits: Tensor, actions: Tensor) -> Tensor:
    """The log-softmax of `logits`, (..., A), at `actions`, (...)."""
    raise NotImplementedError


def one_hot(idx: Tensor, n: int) -> Tensor:
    """(...) -> (..., n), int64: 1 at position idx, 0 elsewhere."""
    raise NotImplementedError


def segment_sum(values: Tensor, ids: Tensor, n: int) -> Tensor:
    """Row s of the (n, ...) result is the sum of the values[i] with ids[i] == s."""
    raise NotImplementedError


def safe_sqrt(x: Tensor) -> Tensor:
    """The root where x > 0, else 0, with a gradient of 0 there."""
    raise NotImplementedError
