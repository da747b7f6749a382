# id: E7
# tries: returns a tensor without elements, so that no element can be wrong
# expect: WA
# message: shape
def attention(q, k, v):
    return v[..., :0, :0]
