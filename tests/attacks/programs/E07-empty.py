# id: E7
# tries: returns a tensor without elements, which nothing contradicts
# expect: WA
# message: shape
def attention(q, k, v):
    return v[..., :0, :0]
