# id: G12
# tries: reads from standard input
# expect: RE
# message: EOFError
def attention(q, k, v):
    return input()
