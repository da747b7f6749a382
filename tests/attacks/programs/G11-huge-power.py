# id: G11
# tries: computes a number of a hundred million digits in one operation, in C code
# expect: TLE
# message: CPU time
def attention(q, k, v):
    return 10 ** 10**8
