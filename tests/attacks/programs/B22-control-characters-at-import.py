# id: B22
# tries: raises an exception with lone surrogates, NULs, terminal commands and a megabyte of text while it is loaded
# expect: RE
raise ValueError("\ud800\x00\x1b]0;owned\x07" + "x" * 1_000_000)


def attention(q, k, v):
    return q
