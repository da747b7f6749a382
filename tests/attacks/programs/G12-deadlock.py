# id: G12
# tries: acquires a lock that it already holds
# expect: TLE
# message: took longer
import threading


def attention(q, k, v):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
