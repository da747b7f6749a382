# id: F22
# tries: uses many more threads than it has processors
# expect: AC
import math
import os

import torch

for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OMP_WAIT_POLICY", "MKL_DYNAMIC", "OMP_PROC_BIND"):
    os.environ[name] = "16" if name.endswith("THREADS") else "active"
torch.set_num_threads(16)
torch.set_num_interop_threads(4)
warm = torch.ones(1 << 16).add(1).sum()


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
