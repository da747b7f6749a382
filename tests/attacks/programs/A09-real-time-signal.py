# id: A9
# tries: kills itself with a real-time signal, which has no name
# expect: RE
# message: killed by signal 40
import os


def attention(q, k, v):
    os.kill(os.getpid(), 40)
