# id: J19
# tries: moves its own and other processes and their memory between NUMA nodes, and changes scheduling priorities
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


nodes = (ctypes.c_ulong * 16)(1)
ANSWERS = {
    "mbind": call((237, 235), 0, 4096, 0, 0, 0, 0),
    "set_mempolicy": call((238, 237), 1, nodes, 2),
    "get_mempolicy": call((239, 236), 0, nodes, 64, 0, 0),
    "move_pages": call((279, 239), 0, 0, 0, 0, 0, 0),
    "move_pages of process 1": call((279, 239), 1, 0, 0, 0, 0, 4),
    "migrate_pages": call((256, 238), 0, 64, nodes, nodes),
    "set_mempolicy_home_node": call((450, 450), 0, 4096, 0, 0),
    "sched_setscheduler": call((144, 119), 0, 1, nodes),
    "sched_setparam": call((142, 118), 0, nodes),
    "sched_setattr": call((314, 274), 0, nodes, 0),
    "setpriority": call((141, 140), 0, 0, -5),
    "ioprio_set": call((251, 30), 1, 0, 1 << 13),
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
