# id: A7
# tries: raises SystemExit(0) in a call
# expect: RE
# message: SystemExit
def attention(q, k, v):
    raise SystemExit(0)
