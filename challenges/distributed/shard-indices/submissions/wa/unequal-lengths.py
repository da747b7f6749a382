# caught by: test_equal_lengths[False]
"""No padding: some ranks get one item more."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank not in range(world):
        raise ValueError(f"there is no rank {rank} among {world}")
    order = list(range(n))
    if shuffle:
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
    share = n // world if drop_last else -(-n // world)
    return order[rank : n // world * world if drop_last else n : world]
