# id: G3
# tries: moves the program break with sbrk, bypassing every allocator
# expect: MLE
# message: used more than 192 MB
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.sbrk.restype = ctypes.c_void_p


def attention(q, k, v):
    while True:
        start = libc.sbrk(8 << 20)
        ctypes.memset(start, 1, 8 << 20)
