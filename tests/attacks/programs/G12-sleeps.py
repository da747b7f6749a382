# id: G12
# tries: sleeps forever with every signal blocked
# expect: TLE
# message: took longer
import signal
import time


def attention(q, k, v):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        time.sleep(1000)
