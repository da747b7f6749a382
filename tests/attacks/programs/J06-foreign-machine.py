# id: J6
# tries: makes a 32-bit system call, where the same number means another call
# expect: RE
# message: SIGSYS|SIGSEGV|SIGILL
import ctypes
import mmap


def attention(q, k, v):
    code = mmap.mmap(-1, 4096, prot=7)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # machine code: mov eax, 20 (getpid of i386); int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    return q
