# id: G11
# tries: loops forever while it is loaded
# expect: TLE
# message: while loading
while True:
    pass


def attention(q, k, v):
    return q
