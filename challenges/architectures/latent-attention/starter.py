"""Multi-head latent attention."""

from torch import Tensor, nn

Cache = tuple[Tensor, Tensor]


class LatentAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, d_head: int, d_latent: int, d_rope: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor, cache: Cache | None = None, absorbed: bool = False) -> tuple[Tensor, Cache]:
        """x (B, T, d_model), the newest tokens; gives their outputs and the cache (latents, keys) that includes them."""
        raise NotImplementedError
