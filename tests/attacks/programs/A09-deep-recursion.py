# id: A9
# tries: recurses without end
# expect: RE
# message: RecursionError
def attention(q, k, v):
    return attention(q, k, v)
