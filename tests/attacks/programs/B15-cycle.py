# id: B15
# tries: returns a list that contains itself, or a dict with 600,000 keys
# expect: WA
def attention(q, k, v):
    if q.dim() > 2:
        return {n: n for n in range(600_000)}
    value = []
    value.append(value)
    return value
