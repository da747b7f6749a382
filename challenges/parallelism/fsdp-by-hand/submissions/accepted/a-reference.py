"""Reference: a custom function that keeps the input and the shard, and gathers again on the way back."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable


def flat_shard(tensors: list[Tensor], rank: int, size: int) -> Tensor:
    flat = torch.cat([t.detach().reshape(-1) for t in tensors])
    flat = F.pad(flat, (0, -flat.numel() % size))
    return flat.chunk(size)[rank].clone()


def unshard(shard: Tensor, shapes: list[tuple[int, ...]], group) -> list[Tensor]:
    flat = group.all_gather(shard)
    sizes = [math.prod(shape) for shape in shapes]
    pieces = flat[: sum(sizes)].split(sizes)
    return [piece.view(shape) for piece, shape in zip(pieces, shapes, strict=True)]


class ShardedLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, shard, out_features, group):
        ctx.shapes, ctx.group = [(out_features, x.shape[-1]), (out_features,)], group
        ctx.save_for_backward(x, shard)
        weight, bias = unshard(shard, ctx.shapes, group)
        return F.linear(x, weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        x, shard = ctx.saved_tensors
        group, (out_features, d) = ctx.group, ctx.shapes[0]
        dx = dshard = None
        if ctx.needs_input_grad[0]:
            weight, _ = unshard(shard, ctx.shapes, group)
            dx = grad @ weight
        if ctx.needs_input_grad[1]:
            rows, inputs = grad.reshape(-1, out_features), x.reshape(-1, d)
            flat = torch.cat([(rows.T @ inputs).reshape(-1), rows.sum(0)])
            flat = F.pad(flat, (0, -flat.numel() % group.world_size))
            dshard = group.reduce_scatter(flat) / group.world_size
        return dx, dshard, None, None


def sharded_linear(x: Tensor, shard: Tensor, out_features: int, group) -> Tensor:
    return ShardedLinear.apply(x, shard, out_features, group)
