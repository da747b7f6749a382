# id: N34
# tries: shifts its clocks: time namespaces, their offsets, the system clock, alarms that wake the machine
# expect: AC
import contextlib
import ctypes
import errno
import math
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
for flags in (0x80, 0x80 | 1 << 28):
    if (found := call((272, 97), flags)) != "EPERM":
        worked.append((hex(flags), found))
for pid in ("self", "1"):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/timens_offsets", "w") as file:
        file.write("monotonic 86400 0")
        file.flush()
        worked.append(f"offsets of {pid}")
for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME):
    with contextlib.suppress(OSError):
        time.clock_settime(clock, 1)
        worked.append(f"clock {clock}")
for number in (8, 9):  # alarms of CLOCK_REALTIME_ALARM and CLOCK_BOOTTIME_ALARM
    if isinstance(found := call((283, 85), number, 0), int):
        worked.append(f"alarm {number}")
if abs(time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)) > 30 * 86400:
    worked.append("clocks are shifted")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
