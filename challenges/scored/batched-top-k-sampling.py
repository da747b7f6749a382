"""The chain of batched-top-k-sampling: 16 rows of `size` logits, 50 of which take part.

Numbers of a step took 0.24 ms at size 65,536, beside 0.83 ms of the best answer's call and 4.3 ms of the baseline's.
"""

import random

import torch

ROWS, K, STRIDE = 16, 50, 1009


class Numbers:
    """Views of one small pool of random numbers. Where their rows begin depends on the seed, and the sum of two views has the
    numbers of no other call.
    """

    def __init__(self, rows, columns, seed):
        self.places = random.Random(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.pool = torch.randn(STRIDE * (rows + 1) + columns, generator=self.generator)

    def view(self, rows, columns):
        start, stride = self.places.randrange(STRIDE), self.places.randrange(1, STRIDE)
        return self.pool.as_strided((rows, columns), (stride, 1), start)


def chain(solution, size, steps, seed):
    numbers = Numbers(ROWS, size, seed)
    told, factor = [], 1.0
    for _ in range(steps):
        logits = torch.add(numbers.view(ROWS, size), numbers.view(ROWS, size), alpha=factor)
        tokens = solution.sample_top_k(logits, numbers.view(ROWS, size), K)
        told.append(numbers.pool[tokens])  # a random number for each token
        factor = 1 + (int(tokens.sum()) % 129 - 64) / 640  # between 0.9 and 1.1, and the same for all right answers
    return torch.stack(told)
