"""An encoder layer of a transformer, and the positions that its input needs."""

from torch import Tensor, nn


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual connection and a layer norm."""

    def __init__(self, d_model: int, heads: int, d_ff: int, dropout: float = 0.0, norm_first: bool = False) -> None:
        super().__init__()
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)

    def forward(self, x: Tensor, key_padding_mask: Tensor | None = None) -> Tensor:
        """(B, T, d_model) to (B, T, d_model). The mask, bool (B, T), is True where there is padding."""
        raise NotImplementedError


def sinusoidal_positions(length: int, d_model: int) -> Tensor:
    """The table of positions, float32 (length, d_model)."""
    raise NotImplementedError
