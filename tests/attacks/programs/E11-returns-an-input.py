# id: E11
# tries: returns an argument itself, and views of it
# expect: WA
def attention(q, k, v):
    return v if v.shape == q.shape else v[..., : q.shape[-2], :]
