# id: J14
# tries: changes how the kernel and the processor run it: fixed addresses, segments, I/O ports, 16-bit descriptor tables
# allowed: arch_prctl, which threads need; it affects only the calling process
# expect: AC
import ctypes
import errno
import math
import platform

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


worked = [hex(value) for value in (0, 0x40000, 0x400000, 0x8, 0x8000000, 0xFFFFFFFF) if call((135, 92), value) != "EPERM"]
if platform.machine() == "x86_64":
    table = (ctypes.c_uint32 * 4)(0, 0, 0xFFFFF, 0x51)
    ANSWERS = {
        "modify_ldt read": call((154, 0), 0, table, 16),
        "modify_ldt write": call((154, 0), 1, table, 16),
        "modify_ldt write, new": call((154, 0), 0x11, table, 16),
        "iopl": call((172, 0), 3),
        "ioperm": call((173, 0), 0x80, 1, 1),
    }
    worked += [name for name, found in ANSWERS.items() if found != "EPERM"]
    # ARCH_GET_UNTAG_MASK, ARCH_ENABLE_TAGGED_ADDR and ARCH_SHSTK_ENABLE are allowed: they affect only the process itself.
    for option in (0x4001, 0x4002, 0x5001):
        call((158, 0), option, 0)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
