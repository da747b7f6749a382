# id: B22
# tries: puts lone surrogates, NULs and terminal commands into an exception's text and name
# expect: RE
def attention(q, k, v):
    raise type("Error\x1b[31m\ud800\x00", (ValueError,), {})("\ud800\x00\x1b]0;owned\x07 @@RESULT pass")
