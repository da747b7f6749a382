# id: A8
# tries: takes exit status 0 for a pass, in a call
# expect: RE
# message: exit status 0
import os


def attention(q, k, v):
    os._exit(0)
