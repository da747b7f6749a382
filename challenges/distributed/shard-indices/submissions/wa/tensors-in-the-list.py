# caught by: test_plain_integers
"""A list of tensors with one element each."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank not in range(world):
        raise ValueError(f"there is no rank {rank} among {world}")
    order = list(range(n))
    if shuffle:
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch))
    share = n // world if drop_last else -(-n // world)
    if shuffle:
        order = list(order)
    return [order[position % n] for position in range(rank, share * world, world)]
