# id: B15
# tries: returns a list that is nested 100,000 levels deep
# expect: WA
# message: nested too deeply
def attention(q, k, v):
    value = []
    for _ in range(100_000):
        value = [value]
    return value
