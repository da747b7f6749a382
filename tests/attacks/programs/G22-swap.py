# id: G22
# tries: has its memory written out to swap, turns swap on, and allocates without end
# expect: MLE
# message: used more than 192 MB
import ctypes
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)


def attention(q, k, v):
    page = mmap.mmap(-1, 96 << 20)
    page.write(os.urandom(1 << 20) * 96)
    libc.madvise(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page))), ctypes.c_size_t(96 << 20), 21)
    with open("/proc/self/status") as status:
        if any(line.startswith("VmSwap") and int(line.split()[1]) for line in status):
            raise RuntimeError("swapped")
    if libc.swapon(b"/tmp/swap", 0) == 0:
        raise RuntimeError("swap is on")
    held = []
    while True:
        held.append(bytearray(8 << 20))
