# id: E22
# tries: guesses the scale of the scores in every call, in the hope that one submission is accepted by luck
# expect: WA
import math
import random


def attention(q, k, v):
    scale = random.SystemRandom().uniform(0.5, 2.0)
    return (q @ k.transpose(-2, -1) * scale / math.sqrt(q.shape[-1])).softmax(-1) @ v
