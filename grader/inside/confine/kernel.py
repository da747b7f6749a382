"""Makes system calls that Python's standard library does not offer. If a call fails, its function raises OSError."""

import ctypes
import os
import platform
import signal
import struct

PR_SET_PDEATHSIG = 1
PR_GET_PDEATHSIG = 2
PR_SET_DUMPABLE = 4
_PR_SET_NAME = 15
PR_CAPBSET_READ = 23
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

MADV_COLLAPSE = 25

# CLONE_NEW{CGROUP,UTS,IPC,USER,PID,NET,NS}
NAMESPACES = 0x7E020000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REC, MS_PRIVATE = 1 << 14, 1 << 18
_SYS_MOUNT_SETATTR = 442  # the same number on every machine
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID = 1, 2

_CAPABILITY_VERSION_3 = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)
_libc_with_gil = ctypes.PyDLL(None, use_errno=True)


def _checked(result: int, name: str) -> int:
    if result >= 0:
        return result
    code = ctypes.get_errno()
    raise OSError(code, f"{name}: {os.strerror(code)}")


def prctl(option: int, *arguments: int) -> int:
    """Call prctl(2). Missing arguments are passed as 0, which newer options require."""
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(ctypes.c_int(option), *padded), f"prctl {option}")


def set_name(name: str) -> None:
    """Name the calling thread. The kernel keeps the first 15 bytes."""
    _checked(_libc.prctl(ctypes.c_int(_PR_SET_NAME), name.encode(), *[ctypes.c_ulong(0)] * 3), "prctl PR_SET_NAME")


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


def clone(namespaces: int) -> int:
    """Fork with clone(2), with the child as process 1 of new namespaces. Returns the child's pid, and 0 in the child.

    `os.fork` cannot do this, because only the system call takes the flags. The handlers that Python and the C library run
    around a fork are not run: the caller must have a single thread, and the child should only fork and wait.
    """
    number = {"x86_64": 56, "aarch64": 220}[platform.machine()]
    zeros = [ctypes.c_long(0)] * 4
    result: int = _libc_with_gil.syscall(ctypes.c_long(number), ctypes.c_long(namespaces | signal.SIGCHLD), *zeros)
    return _checked(result, "clone")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Call mount(2). The error names the target."""
    texts = [text.encode() for text in (source, target, kind)]
    _checked(_libc.mount(*texts, ctypes.c_ulong(flags), options.encode()), f"mount {kind} {target}".rstrip())


def make_read_only(path: str) -> None:
    """Make the mount at `path` and all mounts below it read-only and ignore their set-user-ID bits, by mount_setattr(2), which
    exists since Linux 5.12.
    """
    wanted = struct.pack("QQQQ", _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID, 0, 0, 0)
    arguments = (_AT_FDCWD, path.encode(), _AT_RECURSIVE, ctypes.create_string_buffer(wanted, len(wanted)), len(wanted))
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    _checked(_libc.syscall(ctypes.c_long(_SYS_MOUNT_SETATTR), *plain), f"mount_setattr {path}")


def clear_capabilities() -> None:
    """Empty the effective, permitted and inheritable capability sets of the calling thread."""
    header = ctypes.create_string_buffer(struct.pack("Ii", _CAPABILITY_VERSION_3, 0), 8)
    _checked(_libc.capset(header, ctypes.create_string_buffer(24)), "capset")
