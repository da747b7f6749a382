# id: E24
# tries: sets the default device to meta and changes other global settings, which could affect the test kit's code around a call
# expect: AC
import math

import torch

torch.set_default_device("meta")
torch.set_num_threads(1)
torch.backends.mkldnn.enabled = False


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
