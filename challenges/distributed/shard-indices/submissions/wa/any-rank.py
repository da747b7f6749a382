# caught by: test_wrong_rank[world]
"""Takes any rank."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    order = list(range(n))
    if shuffle:
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
    share = n // world if drop_last else -(-n // world)
    return [order[position % n] for position in range(rank, share * world, world)]
