"""Reference: six axes, one permutation, one matrix product."""

import torch
import torch.nn.functional as F
from torch import Tensor


def patchify(images: Tensor, patch: int) -> Tensor:
    B, C, H, W = images.shape
    if H % patch or W % patch:
        raise ValueError(f"{H} x {W} pixels are not divisible by patches of {patch}")
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // patch) * (W // patch), C * patch * patch)


def resize_positions(pos: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    if len(pos) != 1 + old[0] * old[1]:
        raise ValueError(f"{len(pos)} positions do not belong to a grid of {old[0]} x {old[1]}")
    grid = pos[1:].T.reshape(1, -1, *old)  # (1, d, h, w)
    grid = F.interpolate(grid, size=tuple(new), mode="bicubic", align_corners=False)
    return torch.cat([pos[:1], grid[0].flatten(1).T])


def embed(images: Tensor, weight: Tensor, bias: Tensor, cls: Tensor, pos: Tensor, grid: tuple[int, int]) -> Tensor:
    patch = weight.shape[-1]
    tokens = patchify(images, patch) @ weight.flatten(1).T + bias
    tokens = torch.cat([cls.expand(len(images), 1, -1), tokens], dim=1)
    return tokens + resize_positions(pos, grid, (images.shape[2] // patch, images.shape[3] // patch))
