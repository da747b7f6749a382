# id: A9
# tries: aborts in a call
# expect: RE
# message: SIGABRT
import os


def attention(q, k, v):
    os.abort()
