# id: E14
# tries: returns right values as NumPy arrays, lists and storages
# expect: WA
import math


def attention(q, k, v):
    out = ((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v).detach()
    return out.tolist() if q.dim() == 2 else out.numpy() if q.dim() == 3 else out.untyped_storage()
