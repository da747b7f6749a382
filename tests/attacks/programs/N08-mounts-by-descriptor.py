# id: N8
# tries: mounts through descriptors: fsopen, fsmount, open_tree, move_mount, fspick, statmount, listmount
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


TREE = {"": 0, "clone": 1, "clone, recursive": 0x8001, "namespace": 2}
ANSWERS = {
    **{f"fsopen {kind}": call((430, 430), kind.encode(), 0) for kind in ("tmpfs", "proc", "cgroup2", "overlay")},
    **{f"open_tree {name}": call((428, 428), -100, b"/", flags) for name, flags in TREE.items()},
    "fsconfig": call((431, 431), 0, 6, 0, 0, 0),
    "fsmount": call((432, 432), 0, 0, 0),
    "fspick": call((433, 433), -100, b"/", 0),
    "move_mount": call((429, 429), -100, b"/proc", -100, b"/tmp", 0),
    "mount_setattr": call((442, 442), -100, b"/", 0x8000, (ctypes.c_uint64 * 4)(), 32),
    "statmount": call((457, 457), (ctypes.c_uint64 * 4)(32, 1), (ctypes.c_char * 512)(), 512, 0),
    "listmount": call((458, 458), (ctypes.c_uint64 * 4)(32, 1), (ctypes.c_uint64 * 9)(), 9, 0),
    "open_tree_attr": call((467, 467), -100, b"/", 1, (ctypes.c_uint64 * 4)(), 32),
}
worked = [(name, found) for name, found in ANSWERS.items() if found not in ("EPERM", "ENOSYS")]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
