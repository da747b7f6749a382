# id: J18
# tries: watches files with fanotify, dnotify, leases and as many inotify instances as possible
# allowed: a few inotify instances; the kernel limits them per uid and closes them when the process ends
# expect: AC
import ctypes
import errno
import math
import os
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


root = os.open("/", os.O_RDONLY)
own = os.open("own", os.O_CREAT | os.O_RDWR)
ANSWERS = {
    "fanotify_init": call((300, 262), 0, 0),
    "fanotify_init unprivileged": call((300, 262), 0x200, 0),
    "fanotify_mark": call((301, 263), -1, 1, 1, -100, b"/"),
    "dnotify": call((72, 25), root, 1026, 1),
    "lease": call((72, 25), own, 1024, 1),
    "lease of a file of others": call((72, 25), os.open("/bin/true", os.O_RDONLY), 1024, 0),
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]
instances = []
while isinstance(found := call((294, 26), 0x80000), int) and len(instances) < 2000:
    instances.append(found)
worked += [f"{len(instances)} instances"] if len(instances) > 256 else []
for each in instances[:5]:
    for path in ("/proc/1", "/proc/1/fd", "/run/gradus", "/proc/self"):
        call((254, 27), each, path.encode(), 0xFFF)
for each in instances:
    os.close(each)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
