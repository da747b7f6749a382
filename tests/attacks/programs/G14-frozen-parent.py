# id: G14
# tries: waits inside the kernel (vfork) for a child that never ends
# expect: TLE
# message: took longer
import ctypes
import os
import platform
import time

libc = ctypes.CDLL(None, use_errno=True)
CLONE_VFORK = 0x4000
OWN = os.getpid()


def attention(q, k, v):
    libc.syscall(220 if platform.machine() == "aarch64" else 56, CLONE_VFORK | 17, 0, 0, 0, 0)
    while os.getpid() != OWN:
        time.sleep(1000)
    return q
