# id: E7
# tries: returns one number that broadcasts to everything
# expect: WA
# message: shape
def attention(q, k, v):
    return v.mean()
