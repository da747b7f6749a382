import torch


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Scaled dot-product attention.

    q: (..., T, d)      k: (..., S, d)      v: (..., S, d_v)
    mask: bool, broadcastable to (..., T, S); True = this query may attend to this key
    returns (..., T, d_v)
    """
    raise NotImplementedError
