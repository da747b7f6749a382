# id: E22
# tries: guesses one of several formulas anew at every call, in the hope of one lucky submission
# expect: WA
import math
import random


def attention(q, k, v):
    scale = random.SystemRandom().uniform(0.5, 2.0)
    return (q @ k.transpose(-2, -1) * scale / math.sqrt(q.shape[-1])).softmax(-1) @ v
