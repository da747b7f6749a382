# id: A9
# tries: calls itself for ever
# expect: RE
# message: RecursionError
def attention(q, k, v):
    return attention(q, k, v)
