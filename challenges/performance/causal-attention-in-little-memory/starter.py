from torch import Tensor


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """(H, T, d), (H, T, d), (H, T, e) -> (H, T, e): position t attends to positions 0 to t"""
    raise NotImplementedError
