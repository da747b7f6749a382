"""Calls the library."""

from torch.utils.data import DistributedSampler


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    sampler = DistributedSampler(range(n), world, rank, shuffle, seed, drop_last)
    sampler.set_epoch(epoch)
    return list(sampler)
