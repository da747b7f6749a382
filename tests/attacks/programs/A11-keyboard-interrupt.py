# id: A11
# tries: raises KeyboardInterrupt in a call
# expect: RE
# message: KeyboardInterrupt
def attention(q, k, v):
    raise KeyboardInterrupt
