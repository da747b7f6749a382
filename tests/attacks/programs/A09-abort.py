# id: A9
# tries: calls os.abort in a call
# expect: RE
# message: SIGABRT
import os


def attention(q, k, v):
    os.abort()
