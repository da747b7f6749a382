# id: A8
# tries: exits with status 0 in a call, in the hope that this counts as a pass
# expect: RE
# message: exit status 0
import os


def attention(q, k, v):
    os._exit(0)
