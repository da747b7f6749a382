import torch


def patchify(images: torch.Tensor, patch: int) -> torch.Tensor:
    """(B, C, H, W) to (B, n, C * patch * patch), patches row by row; a patch is ordered by channel, row, column."""
    raise NotImplementedError


def resize_positions(pos: torch.Tensor, old: tuple[int, int], new: tuple[int, int]) -> torch.Tensor:
    """Positions (1 + old rows * old columns, d) for another grid, by bicubic interpolation; the first stays as it is."""
    raise NotImplementedError


def embed(
    images: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    cls: torch.Tensor,
    pos: torch.Tensor,
    grid: tuple[int, int],
) -> torch.Tensor:
    """Images (B, C, H, W) to the tokens (B, 1 + n, d) of a vision transformer.

    weight: (d, C, p, p)      bias: (d,)      cls: (d,)      pos: (1 + grid rows * grid columns, d)
    """
    raise NotImplementedError
