from torch import Tensor


def pooled(scores: Tensor, values: Tensor, lengths: Tensor) -> Tensor:
    """(N,), (N, d), (S,) -> (S, d): a softmax over each sequence, and the weighted sum of its rows"""
    raise NotImplementedError
