# caught by: test_full_coverage[True]
"""order[:-0] is empty."""

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if rank not in range(world):
        raise ValueError(f"there is no rank {rank} among {world}")
    order = list(range(n))
    if shuffle:
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
    share = n // world if drop_last else -(-n // world)
    if drop_last:
        return order[: -(n % world)][rank::world]
    return [order[position % n] for position in range(rank, share * world, world)]
