"""On tensors: the order is repeated until it is long enough, cut, and read by column."""

import math

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank < 0 or rank >= world:
        raise ValueError("rank")
    if n == 0:
        return []
    order = torch.arange(n)
    if shuffle:
        generator = torch.Generator()
        generator.manual_seed(epoch + seed)
        order = torch.randperm(n, generator=generator)
    rows = math.floor(n / world) if drop_last else math.ceil(n / world)
    long_enough = order.repeat(1 + rows * world // n)
    return long_enough[: rows * world].reshape(rows, world)[:, rank].tolist()
