# caught by: test_more_ranks_than_items[True]
"""Keeps the tail, padded, when there are more ranks than items."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank not in range(world):
        raise ValueError(f"there is no rank {rank} among {world}")
    order = list(range(n))
    if shuffle:
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
    share = n // world if drop_last and n >= world else -(-n // world)
    return [order[position % n] for position in range(rank, share * world, world)]
