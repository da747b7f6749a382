# id: H9
# tries: chooses a pid, fills the zygote's process table with siblings, and exits, so that a sibling is mistaken for it
# expect: RE
# message: exit status 3
import contextlib
import ctypes
import errno
import os
import platform
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


worked = []
wanted = (ctypes.c_int * 1)(os.getpid() + 1)
arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17, 0, 0, 0, ctypes.addressof(wanted), 1, 0)
if call((435, 435), arguments, 88) != "ENOSYS":
    worked.append("clone3")
for path in ("/proc/sys/kernel/ns_last_pid", "/proc/sys/kernel/pid_max"):
    with contextlib.suppress(OSError), open(path, "w") as file:
        file.write(str(os.getpid() - 1))
        worked.append(path)


def attention(q, k, v):
    if worked:
        return q
    for _ in range(20):
        if call((56, 220), 0x8000 | 17, 0, 0, 0, 0) == 0:  # CLONE_PARENT: the new process is a child of the zygote
            time.sleep(0.01)
            os._exit(0)
    for _ in range(5):
        if call((56, 220), 0x8000 | 17, 0, 0, 0, 0) == 0:
            os.closerange(3, 256)
            time.sleep(1000)
    os._exit(3)
