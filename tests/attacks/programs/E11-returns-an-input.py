# id: E11
# tries: returns one of its arguments, or a view of it
# expect: WA
def attention(q, k, v):
    return v if v.shape == q.shape else v[..., : q.shape[-2], :]
