# caught by: test_exact_accuracy[2]
"""Drops the remainder instead of repeating."""

import torch
from torch.utils.data import DataLoader, DistributedSampler


def train(dataset, rank, world, start, stop, batch_size, seed, step):
    sampler = DistributedSampler(dataset, world, rank, shuffle=True, seed=seed)
    loader = DataLoader(dataset, batch_size, sampler=sampler)
    steps = 0
    for epoch in range(start, stop):
        sampler.set_epoch(epoch)
        for x, y in loader:
            step(x, y)
            steps += 1
    return steps


def evaluate(predict, dataset, rank, world, batch_size, all_reduce):
    counts = torch.zeros(2, dtype=torch.float64)
    for x, y in DataLoader(dataset, batch_size, sampler=DistributedSampler(dataset, world, rank, shuffle=False, drop_last=True)):
        counts += torch.tensor([(predict(x) == y).sum(), len(y)])
    all_reduce(counts)
    right, seen = counts.tolist()
    return right / max(seen, 1)
