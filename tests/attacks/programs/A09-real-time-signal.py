# id: A9
# tries: dies of a signal that has no name
# expect: RE
# message: killed by signal 40
import os


def attention(q, k, v):
    os.kill(os.getpid(), 40)
