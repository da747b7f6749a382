# id: E24
# tries: turns the switches of torch that reach everything, then answers rightly
# expect: AC
import math

import torch

torch.set_default_dtype(torch.float64)
torch.set_flush_denormal(True)
torch.use_deterministic_algorithms(True)
torch.set_printoptions(precision=1)
torch.autograd.set_detect_anomaly(True)
torch.set_grad_enabled(False)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
