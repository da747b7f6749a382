# id: G27
# tries: returns values of very many parts, to keep the judge busy
# expect: WA|TLE|RE
def attention(q, k, v):
    return [0.0] * 150_000
