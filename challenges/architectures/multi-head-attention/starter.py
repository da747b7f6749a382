import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Multi-head attention with parameters q_proj, k_proj, v_proj and out_proj (.weight and, with bias, .bias)."""

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(
        self,
        x: torch.Tensor,
        context: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        causal: bool = False,
    ) -> torch.Tensor:
        """x: (B, T, d_model)      context: (B, S, d_model); None = x
        mask: bool, broadcastable to (B, num_heads, T, S); True = may attend
        causal: query t sees key s only if s <= t + (S - T)
        returns (B, T, d_model)
        """
        raise NotImplementedError
