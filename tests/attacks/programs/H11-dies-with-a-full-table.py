# id: H11
# tries: exits while the largest allowed number of its children run and use memory, so that no further process can be forked
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
