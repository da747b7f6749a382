# id: G12
# tries: waits for a lock that it holds itself
# expect: TLE
# message: took longer
import threading


def attention(q, k, v):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
