"""Makes system calls that Python's standard library does not offer. If a call fails, its function raises OSError."""

import ctypes
import os
import struct

PR_SET_PDEATHSIG = 1
PR_GET_PDEATHSIG = 2
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

MADV_COLLAPSE = 25

_CAPABILITY_VERSION_3 = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, name: str) -> int:
    if result >= 0:
        return result
    code = ctypes.get_errno()
    raise OSError(code, f"{name}: {os.strerror(code)}")


def prctl(option: int, *arguments: int) -> int:
    """Call prctl(2). Missing arguments are passed as 0, which newer options require."""
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(ctypes.c_int(option), *padded), f"prctl {option}")


def madvise(start: int, length: int, advice: int) -> None:
    """Call madvise(2) for the `length` bytes from the address `start`."""
    result = _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), ctypes.c_int(advice))
    _checked(result, f"madvise {advice}")


def parent_death_signal() -> int:
    """Return the signal that this process receives when its parent dies, or 0 if it receives none."""
    answer = ctypes.c_int()
    prctl(PR_GET_PDEATHSIG, ctypes.addressof(answer))
    return answer.value


def syscall(number: int, *arguments: int | ctypes.Array[ctypes.c_char]) -> int:
    """Make the system call `number` with these arguments, which are integers or buffers, and return its result."""
    plain = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *plain), f"syscall {number}")


def clear_capabilities() -> None:
    """Empty the effective, permitted and inheritable capability sets of the calling thread."""
    header = ctypes.create_string_buffer(struct.pack("Ii", _CAPABILITY_VERSION_3, 0), 8)
    _checked(_libc.capset(header, ctypes.create_string_buffer(24)), "capset")
