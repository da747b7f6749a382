# id: C10
# tries: answers the visible sample correctly, which it recognises by its shape, and everything else with the mean of v
# expect: WA
# message: values are off
def attention(q, k, v):
    if q.shape == (1, 4):
        return v.clone()
    return v.mean(-2, keepdim=True).expand(*q.shape[:-1], v.shape[-1]).contiguous()
