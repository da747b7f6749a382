# id: B16
# tries: returns NaN with chosen payload bits, including signalling NaN
# expect: WA
# message: NaN|finite
import torch

odd = iter([0x7FC0BEEF, 0x7F800001, -1, -4194304 + 7] * 9)


def attention(q, k, v):
    bits = torch.full((*q.shape[:-1], v.shape[-1]), next(odd), dtype=torch.int32)
    return bits.view(torch.float32).to(q.dtype)
