import torch


def blockwise_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    block: int,
    keep: torch.Tensor | None = None,
    causal: bool = False,
) -> torch.Tensor:
    """Attention over blocks of `block` keys; no tensor of T x S elements.

    q: (B, H, T, d)      k: (B, H, S, d)      v: (B, H, S, e)
    keep: bool (B, S), True = this key may be attended to
    returns (B, H, T, e)
    """
    raise NotImplementedError
