# id: C14
# tries: leaks one bit of a hidden input through the type of an exception, and the whole input through its text
# expect: RE
# message: ^(ValueError|IndexError) in line \d+ of your code$
import math


def attention(q, k, v):
    if q.dim() == 2 and q.shape == k.shape:
        return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    bit = q.flatten()[0].item() > 0
    if bit:
        raise ValueError(f"CANARY {q.tolist()}")
    raise IndexError(f"CANARY {q.tolist()}")
