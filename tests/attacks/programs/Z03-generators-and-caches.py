# id: honest
# tries: nothing: an honest answer with generators, functools, lru_cache and a __main__ block
# expect: AC
import functools
import math

import torch


@functools.lru_cache(maxsize=None)
def scale(width):
    return 1 / math.sqrt(width)


def rows(q, k, v):
    for t in range(q.shape[-2]):
        scores = (q[..., t : t + 1, :] * k).sum(-1) * scale(q.shape[-1])
        yield (scores.softmax(-1).unsqueeze(-1) * v).sum(-2)


def attention(q, k, v):
    return torch.stack(list(rows(q, k, v)), dim=-2)


if __name__ == "__main__":
    print(attention(torch.ones(1, 2), torch.ones(1, 2), torch.ones(1, 2)))
