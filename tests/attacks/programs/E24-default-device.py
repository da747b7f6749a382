# id: E24
# tries: makes new tensors land nowhere, in every thread and in what the kit does around a call
# expect: AC
import math

import torch

torch.set_default_device("meta")
torch.set_num_threads(1)
torch.backends.mkldnn.enabled = False


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
