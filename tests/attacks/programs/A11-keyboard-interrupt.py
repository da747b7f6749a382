# id: A11
# tries: interrupts in a call
# expect: RE
# message: KeyboardInterrupt
def attention(q, k, v):
    raise KeyboardInterrupt
