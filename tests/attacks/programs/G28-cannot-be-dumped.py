# id: G28
# tries: aborts with 64 GB of mapped address space, after raising the limit for core files
# expect: RE
# message: SIGABRT
import contextlib
import ctypes
import mmap
import os
import resource

libc = ctypes.CDLL(None, use_errno=True)
worked = []
if libc.prctl(4, 1, 0, 0, 0) == 0 or libc.prctl(3, 0, 0, 0, 0):
    worked.append("dumpable")
with contextlib.suppress(OSError, ValueError):
    resource.setrlimit(resource.RLIMIT_CORE, (1 << 40, 1 << 40))
    worked.append("limit")


def attention(q, k, v):
    held = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
    held[0] = 1
    if worked:
        return q
    os.abort()
