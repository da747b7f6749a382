"""The chain of weighted-embedding-bags: a table of 16,384 rows of 64 features, `size` bags of 32 rows.

Numbers and sketches of a step took 0.07 ms at size 512, beside 0.08 ms of the library's call and 1.2 ms of the baseline's.
"""

import math
import random

import torch
import torch.nn.functional as F

ROWS, WIDTH, BAG, STRIDE = 16_384, 64, 32, 7


class Numbers:
    """Random numbers that cost two passes over memory: a + b · c, cut off at ±2 · factor, where a, b and c are views of one small
    pool. Where their rows begin depends on the seed, so no call has the numbers of another. Cutting is not linear, so the
    result for one factor does not follow from the results for others.
    """

    def __init__(self, rows, columns, seed):
        self.places = random.Random(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.pool = torch.randn(STRIDE * (rows + 1) + columns, generator=self.generator)

    def view(self, rows, columns):
        start, stride = self.places.randrange(STRIDE), self.places.randrange(1, STRIDE)
        return self.pool.as_strided((rows, columns), (stride, 1), start)

    def fresh(self, rows, columns, factor):
        a, b, c = (self.view(rows, columns) for _ in range(3))
        return torch.addcmul(a, b, c).clamp_(-2 * factor, 2 * factor)

    def signs(self, rows, columns):
        """(rows, columns): ±1 divided by the root of the larger size."""
        drawn = torch.randint(0, 2, (rows, columns), generator=self.generator)
        return (2.0 * drawn - 1) / max(rows, columns) ** 0.5


def sketch(out, left, right):
    """(2, rows), (columns, 2): four sums over all elements of `out`, each of which has been bent first. An element that is off
    moves every one of them.
    """
    if type(out) is not torch.Tensor:
        raise TypeError(f"the answer must return a tensor, not {type(out).__name__}")
    return (left @ F.leaky_relu(out, 0.5) @ right).flatten()


def feedback(numbers):
    """A factor between 0.9 and 1.1, which changes little where the numbers differ by rounding."""
    return 1 + 0.1 * math.tanh(float(numbers[0]))


def chain(solution, size, steps, seed):
    numbers = Numbers(ROWS, WIDTH, seed)
    table = numbers.fresh(ROWS, WIDTH, 1.0)
    pool = torch.randint(0, ROWS, (2 * (size + 1) * BAG,), generator=numbers.generator)
    left, right = numbers.signs(2, size), numbers.signs(WIDTH, 2)
    told = [torch.zeros(4)]
    for _ in range(steps):
        start, stride = numbers.places.randrange(BAG), numbers.places.randrange(BAG, 2 * BAG)
        indices = pool.as_strided((size, BAG), (stride, 1), start).contiguous()
        weights = numbers.fresh(size, BAG, feedback(told[-1]))
        told.append(sketch(solution.weighted_bags(table, indices, weights), left, right) / 8)
    return torch.stack(told[1:])
