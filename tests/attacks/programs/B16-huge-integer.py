# id: B16
# tries: returns integers of up to a million digits, text that is not valid Unicode, and special floats
# expect: WA
odd = iter([1 << 4_000_000, -(1 << 5000), "\ud800\x00\x1b[2J", 5e-324, -0.0, float("nan")] * 9)


def attention(q, k, v):
    return next(odd)
