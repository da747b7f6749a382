# id: B22
# tries: the same while it is loaded, with a megabyte of text
# expect: RE
raise ValueError("\ud800\x00\x1b]0;owned\x07" + "x" * 1_000_000)


def attention(q, k, v):
    return q
