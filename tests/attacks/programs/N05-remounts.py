# id: N5
# tries: makes the read-only root writable, its folders executable, and its own /proc complete again
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


with open("/proc/self/mountinfo") as file:
    places = [line.split()[4] for line in file]
worked = []
for place in places:
    for flags in (0x20, 0x1020, 0x5020):  # remount, of the mount only, recursively
        for options in (None, b"subset=pid", b"hidepid=0,gid=0"):
            if (found := call((165, 40), None, place.encode(), None, flags, options)) != "EPERM":
                worked.append((place, hex(flags), found))
    for flags in (1 << 18, 1 << 19, 1 << 20):  # private, slave, shared
        if (found := call((165, 40), None, place.encode(), None, flags | 0x4000, None)) != "EPERM":
            worked.append((place, "propagation", found))
    clear = (ctypes.c_uint64 * 4)(0, 1 | 2 | 4 | 8, 0, 0)  # without read-only, nosuid, nodev, noexec
    if (found := call((442, 442), -100, place.encode(), 0x8000, clear, 32)) != "EPERM":
        worked.append((place, "mount_setattr", found))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
