"""The chain of linear-recurrence: `size` steps of 128 states.

Numbers and sketches of a step took 0.15 ms at size 1024, beside 0.39 ms of the best answer's call and 4.8 ms of the baseline's.
"""

import math
import random

import torch
import torch.nn.functional as F

WIDTH, STRIDE = 128, 61


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
    numbers, shares = Numbers(size, WIDTH, seed), Numbers(size, WIDTH, seed + 1)
    shares.pool = torch.rand(shares.pool.shape, generator=shares.generator)
    left, right, one = numbers.signs(2, size), numbers.signs(WIDTH, 2), torch.ones(())
    told = [torch.zeros(4)]
    for _ in range(steps):
        # Factors between 0 and 1: 1 minus a multiple of the product of two shares, so most states last for a few steps.
        factor = feedback(told[-1])
        a = torch.addcmul(one, shares.view(size, WIDTH), shares.view(size, WIDTH), value=-factor / 1.1)
        b = numbers.fresh(size, WIDTH, factor)
        told.append(sketch(solution.scan(a, b), left, right) / 4)
    return torch.stack(told[1:])
