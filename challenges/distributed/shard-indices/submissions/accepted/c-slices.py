"""Lists that grow or shrink, and a slice with a step."""

import itertools

import torch


def shard(n, rank, world, epoch, seed, shuffle, drop_last):
    if not 0 <= rank < world:
        raise ValueError(rank, world)
    order = range(n)
    if shuffle:
        g = torch.Generator()
        g.manual_seed(seed + epoch)
        order = [int(i) for i in torch.randperm(n, generator=g)]
    remainder = n % world
    if not remainder:
        total = n
    elif drop_last:
        total = n - remainder
    else:
        total = n + world - remainder
    return list(itertools.islice(itertools.cycle(order), rank, total, world))
