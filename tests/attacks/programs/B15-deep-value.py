# id: B15
# tries: returns lists in lists in lists
# expect: WA
# message: nested too deeply
def attention(q, k, v):
    value = []
    for _ in range(100_000):
        value = [value]
    return value
