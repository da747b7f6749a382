"""Asks your shard for many settings at once."""

import torch


def ranks_of(solution, settings: list) -> list:
    """For each (n, world, epoch, seed, shuffle, drop_last): the shards of all ranks."""
    return [[solution.shard(n, rank, world, *rest) for rank in range(world)] for n, world, *rest in settings]


def with_global_seed(solution, setting: tuple, seed: int) -> tuple:
    """The shard after torch.manual_seed(seed), and whether the global random state was left alone."""
    torch.manual_seed(seed)
    before = torch.get_rng_state()
    shard = solution.shard(*setting)
    return shard, bool(torch.equal(before, torch.get_rng_state()))
