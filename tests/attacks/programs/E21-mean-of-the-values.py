# id: E21
# tries: returns the mean of the values, which is nearly right where all scores are small
# expect: WA
def attention(q, k, v):
    return v.mean(-2, keepdim=True).expand(*q.shape[:-1], v.shape[-1])
