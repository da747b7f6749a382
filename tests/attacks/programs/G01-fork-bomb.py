# id: G1
# tries: forks without end and ignores errors
# expect: TLE
import contextlib
import os


def attention(q, k, v):
    while True:
        with contextlib.suppress(OSError):
            os.fork()
