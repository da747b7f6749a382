# id: B23
# tries: prints a hidden test's inputs and then uses up its CPU time, in the hope that the output is still shown
# expect: TLE
import math


def attention(q, k, v):
    if q.dim() == 4:
        print("CANARY", q.tolist(), flush=True)
        while True:
            pass
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
