# id: E24
# tries: changes global settings of torch, such as the default dtype and the gradient mode, then answers correctly
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
