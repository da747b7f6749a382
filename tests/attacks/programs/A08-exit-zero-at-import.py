# id: A8
# tries: takes exit status 0 for a pass, at import
# expect: RE
# message: while loading.*exit status 0
import os

os._exit(0)


def attention(q, k, v):
    return q
