from torch import Tensor


def attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, causal: bool = False, dropout_p: float = 0.0
) -> Tensor:
    """(..., T, d), (..., S, d), (..., S, d_v) -> (..., T, d_v); a mask is boolean (True = may attend) or added to the scores."""
    raise NotImplementedError
