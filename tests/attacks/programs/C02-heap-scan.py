# id: C2
# tries: returns any tensor of the result's shape that the garbage collector tracks and that is not an argument
# expect: WA
import gc

import torch


def attention(q, k, v):
    shape = (*q.shape[:-1], v.shape[-1])
    own = {x.data_ptr() for x in (q, k, v)}
    found = [o for o in gc.get_objects() if type(o) is torch.Tensor and o.shape == shape and o.data_ptr() not in own]
    return found[0].clone() if found else torch.zeros(shape, dtype=q.dtype)
