# id: C7
# tries: predicts its inputs from the generators it inherited, from small seeds and from the time
# expect: AC
import math
import random
import time

import numpy as np
import torch

states = [torch.get_rng_state(), torch.default_generator.get_state()]
SEEDS = [torch.initial_seed(), *range(200), int(time.time()), random.getrandbits(32), int(np.random.randint(2**31))]


def foreseen(shape):
    generator = torch.Generator()
    for state in states:
        yield torch.randn(shape, generator=generator.set_state(state))
    for seed in SEEDS:
        yield torch.randn(shape, generator=generator.manual_seed(seed))
        yield torch.randn(shape)


def attention(q, k, v):
    if q.dim() == 3 and q.dtype is torch.float32:
        for guess in foreseen(q.shape):
            if torch.equal(guess, q.detach()) or torch.allclose(guess.flatten()[0], q.detach().flatten()[0], rtol=0, atol=1e-7):
                raise RuntimeError("the inputs can be foreseen")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
