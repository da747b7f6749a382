# id: G2
# tries: makes torch itself start ten thousand threads
# expect: RE
import torch


def attention(q, k, v):
    torch.set_num_threads(10_000)
    return torch.ones(2000, 2000).exp().sum() + q
