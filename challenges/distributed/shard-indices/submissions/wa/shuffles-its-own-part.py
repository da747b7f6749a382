# caught by: test_like_the_library[shuffled-padded]
"""Splits first and shuffles the part."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank not in range(world):
        raise ValueError(f"there is no rank {rank} among {world}")
    order = list(range(n))
    share = n // world if drop_last else -(-n // world)
    part = [order[position % n] for position in range(rank, share * world, world)]
    if shuffle:
        g = torch.Generator().manual_seed(seed + epoch)
        part = [part[i] for i in torch.randperm(len(part), generator=g)]
    return part
