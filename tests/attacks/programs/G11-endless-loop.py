# id: G11
# tries: loops forever
# expect: TLE
# message: CPU time|took longer
def attention(q, k, v):
    while True:
        pass
