# caught by: test_more_ranks_than_items[False]
"""Goes on from the start once only."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank not in range(world):
        raise ValueError(f"there is no rank {rank} among {world}")
    order = list(range(n))
    if shuffle:
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
    share = n // world if drop_last else -(-n // world)
    order += order[: share * world - n] if share * world > n else []
    return order[rank : share * world : world]
