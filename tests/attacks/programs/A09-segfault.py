# id: A9
# tries: reads address 0 through ctypes
# expect: RE
# message: SIGSEGV
import ctypes


def attention(q, k, v):
    return ctypes.string_at(0)
