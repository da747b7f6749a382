# caught by: test_new_order_each_epoch
"""The order of epoch 0 for ever."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank not in range(world):
        raise ValueError(f"there is no rank {rank} among {world}")
    order = list(range(n))
    if shuffle:
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed)).tolist()
    share = n // world if drop_last else -(-n // world)
    return [order[position % n] for position in range(rank, share * world, world)]
