# id: G11
# tries: loops for ever
# expect: TLE
# message: CPU time|took longer
def attention(q, k, v):
    while True:
        pass
