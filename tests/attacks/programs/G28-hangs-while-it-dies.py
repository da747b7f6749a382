# id: G28
# tries: keeps threads and children busy in the kernel with all signals blocked, so that killing it takes long
# expect: TLE
import contextlib
import mmap
import os
import signal
import threading


def churn():
    while True:
        with contextlib.suppress(OSError, ValueError):
            page = mmap.mmap(-1, 4 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE)
            page.close()


def attention(q, k, v):
    for number in set(range(1, 65)) - {9, 19, 32, 33}:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    for _ in range(3):
        if os.fork() == 0:
            break
    for _ in range(2):
        threading.Thread(target=churn).start()
    churn()
