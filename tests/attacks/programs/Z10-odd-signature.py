# id: honest
# tries: nothing: an honest answer with defaults, keyword-only arguments and *args beyond the declared signature
# expect: AC
import math
from functools import partial


def _attention(scale, q, k, v, *rest, causal=False, **more):
    return (q @ k.transpose(-2, -1) * scale(q)).softmax(-1) @ v


def attention(q, k, v, *rest, causal=False, **more):
    return partial(_attention, lambda x: 1 / math.sqrt(x.shape[-1]))(q, k, v, *rest, causal=causal, **more)
