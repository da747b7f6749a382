# id: G1
# tries: forks twice and exits in every generation, so that no process lives long enough to be killed by its pid
# expect: TLE
import contextlib
import os


def attention(q, k, v):
    while True:
        with contextlib.suppress(OSError):
            if os.fork() and os.fork():
                os._exit(0)
        with contextlib.suppress(OSError):
            os.setsid()
