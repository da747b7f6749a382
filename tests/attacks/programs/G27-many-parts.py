# id: G27
# tries: returns a list of 150,000 numbers, to keep the judge busy
# expect: WA|TLE|RE
def attention(q, k, v):
    return [0.0] * 150_000
