"""The chain of loss-and-gradients-of-a-vocabulary: `size` rows of 64 features, 8192 classes.

Its own memory beside the call: the arguments and the results, and one copy of the larger gradient for the sketch.
"""

import math

import torch
import torch.nn.functional as F

WIDTH, CLASSES = 64, 8192


def signs(rows, columns, generator):
    """(rows, columns): ±1 divided by the root of the larger size."""
    drawn = torch.randint(0, 2, (rows, columns), generator=generator)
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
    return 1 + 0.1 * math.tanh(float(numbers.sum()))


def chain(solution, size, steps, seed):
    generator = torch.Generator().manual_seed(seed)
    rows, classes = signs(2, size, generator), signs(2, CLASSES, generator)
    right = signs(WIDTH, 2, generator)

    def step(factor):
        hidden = torch.randn(size, WIDTH, generator=generator).mul_(factor)
        weight = torch.randn(CLASSES, WIDTH, generator=generator).div_(4)
        target = torch.randint(0, CLASSES, (size,), generator=generator)
        loss, d_hidden, d_weight = solution.loss_and_gradients(hidden, weight, target)
        sketches = sketch(d_hidden, rows, right), sketch(d_weight, classes, right)
        return torch.cat([loss.reshape(1) / 10, *(size * each for each in sketches)])

    told = [torch.zeros(9)]
    for _ in range(steps):
        told.append(step(feedback(told[-1][::4])))  # the loss, and one sketch of each gradient
    return torch.stack(told[1:])
