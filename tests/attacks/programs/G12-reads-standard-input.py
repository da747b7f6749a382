# id: G12
# tries: waits for standard input
# expect: RE
# message: EOFError
def attention(q, k, v):
    return input()
