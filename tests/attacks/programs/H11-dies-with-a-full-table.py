# id: H11
# tries: dies while all processes that it may have are there, each with memory, so that nothing new can be forked beside them
# expect: RE
# message: exit status 3
import contextlib
import os
import time


def attention(q, k, v):
    for _ in range(31):
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                os.closerange(3, 256)
                os.setsid()
                held = [bytearray(b"x") * (1 << 20)]
                time.sleep(1000 * len(held))
    os._exit(3)
