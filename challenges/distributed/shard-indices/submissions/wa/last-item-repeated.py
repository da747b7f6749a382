# caught by: test_goes_on_from_the_start
"""Pads with the last item."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank not in range(world):
        raise ValueError(f"there is no rank {rank} among {world}")
    order = list(range(n))
    if shuffle:
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
    share = n // world if drop_last else -(-n // world)
    order += order[-1:] * (share * world)
    return order[rank : share * world : world]
