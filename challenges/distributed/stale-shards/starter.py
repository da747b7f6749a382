"""Training and evaluation on one of several ranks. Something is wrong with both."""

import torch
from torch.utils.data import DataLoader, DistributedSampler


def train(dataset, rank, world, start, stop, batch_size, seed, step):
    """Run the epochs start, ..., stop - 1 on this rank's part; give the number of steps."""
    sampler = DistributedSampler(dataset, world, rank, shuffle=True, seed=seed)
    loader = DataLoader(dataset, batch_size, sampler=sampler)
    steps = 0
    for _ in range(start, stop):
        for x, y in loader:
            step(x, y)
            steps += 1
    return steps


def evaluate(predict, dataset, rank, world, batch_size, all_reduce):
    """The accuracy over the dataset, the same on all ranks."""
    sampler = DistributedSampler(dataset, world, rank, shuffle=False)
    accuracies = []
    for x, y in DataLoader(dataset, batch_size, sampler=sampler):
        accuracies.append((predict(x) == y).double().mean())
    accuracy = torch.stack(accuracies).mean()
    all_reduce(accuracy)
    return accuracy.item() / world
