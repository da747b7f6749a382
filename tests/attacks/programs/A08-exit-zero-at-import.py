# id: A8
# tries: exits with status 0 while it is loaded, in the hope that this counts as a pass
# expect: RE
# message: while loading.*exit status 0
import os

os._exit(0)


def attention(q, k, v):
    return q
