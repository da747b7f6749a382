# id: G17
# tries: locks its present and future memory, and takes huge pages through mappings, files and System V
# expect: AC
import ctypes
import errno
import math
import mmap
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


worked = []
page = mmap.mmap(-1, 1 << 16)
start = ctypes.addressof(ctypes.c_char.from_buffer(page))
SHARED, PRIVATE, LOCKED, HUGE = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 0x2000, 0x40000
ANSWERS = {
    "mlock": (call((149, 228), start, 1 << 16), "EPERM"),
    "mlock2 on fault": (call((325, 284), start, 1 << 16, 1), "EPERM"),
    "mlockall now": (call((151, 230), 1), "EPERM"),
    "mlockall in future": (call((151, 230), 2), "EPERM"),
    "mmap locked": (call((9, 222), 0, 1 << 16, 3, PRIVATE | LOCKED, -1, 0), "EPERM"),
    "shmget huge": (call((29, 194), 0, 2 << 20, 0o5600), "EPERM"),
}
worked += [name for name, (found, wanted) in ANSWERS.items() if found != wanted]
for flags in (SHARED | HUGE, PRIVATE | HUGE):
    if isinstance(call((9, 222), 0, 2 << 20, 3, flags, -1, 0), int):
        worked.append("huge mapping")
file = call((319, 279), b"huge", 4)
if isinstance(file, int) and isinstance(call((9, 222), 0, 2 << 20, 3, mmap.MAP_SHARED, file, 0), int):
    worked.append("huge file")
with open("/proc/self/status") as status:
    locked = next(int(line.split()[1]) for line in status if line.startswith("VmLck"))
worked += [f"{locked} KB locked"] if locked else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
