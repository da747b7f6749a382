"""The order is computed here; evaluation takes contiguous blocks, and the size of the dataset is known."""

import torch


def batches_of(dataset, indices, size):
    for first in range(0, len(indices), size):
        xs, ys = zip(*(dataset[i] for i in indices[first : first + size]))
        yield torch.stack(xs), torch.as_tensor(ys)


def train(dataset, rank, world, start, stop, batch_size, seed, step):
    n = len(dataset)
    steps = 0
    for epoch in range(start, stop):
        order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
        part = [order[i % n] for i in range(rank, -(-n // world) * world, world)]
        for batch in batches_of(dataset, part, batch_size):
            step(*batch)
            steps += 1
    return steps


def evaluate(predict, dataset, rank, world, batch_size, all_reduce):
    n = len(dataset)
    block = range(rank * n // world, (rank + 1) * n // world)
    right = torch.zeros((), dtype=torch.int64)
    for x, y in batches_of(dataset, block, batch_size):
        right += predict(x).eq(y).sum()
    all_reduce(right)
    return int(right) / n
