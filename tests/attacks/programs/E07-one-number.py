# id: E7
# tries: returns one number, which broadcasts to every shape
# expect: WA
# message: shape
def attention(q, k, v):
    return v.mean()
