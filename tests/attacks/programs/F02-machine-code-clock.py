# id: F2
# tries: is far too slow; overwrites the C library's clock functions with machine code that returns 0
# expect: WA
# message: five times slower
# package: smoothing
import contextlib
import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)
if platform.machine() == "x86_64":
    for name in ("clock_gettime", "gettimeofday", "time", "clock"):
        with contextlib.suppress(AttributeError):
            address = ctypes.cast(getattr(libc, name), ctypes.c_void_p).value
            if libc.mprotect(ctypes.c_void_p(address & ~0xFFF), 8192, 7) == 0:
                ctypes.memmove(address, b"\x31\xc0\xc3", 3)


def smooth(x):
    for _ in range(25):
        out = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return out
