# id: J16
# tries: makes calls that only administrators may make: modules, kernels, quotas, swap, clocks, host names, obsolete calls
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


ANSWERS = {
    "quotactl": call((179, 60), 0x800000, 0, 0, 0),
    "quotactl_fd": call((443, 443), 3, 0x800000, 0, 0),
    "acct": call((163, 89), 0),
    "swapon": call((167, 224), b"/tmp/swap", 0),
    "swapoff": call((168, 225), b"/tmp/swap"),
    "reboot": call((169, 142), 0xFEE1DEAD, 672274793, 0x01234567, 0),
    "init_module": call((175, 105), b"x", 1, b""),
    "finit_module": call((313, 273), 3, b"", 0),
    "delete_module": call((176, 106), b"x", 0),
    "kexec_load": call((246, 104), 0, 0, 0, 0),
    "kexec_file_load": call((320, 294), 3, 3, 0, 0, 0),
    "syslog": call((103, 116), 3, b"", 0),
    "lookup_dcookie": call((212, 18), 0, 0, 0),
    "settimeofday": call((164, 170), 0, 0),
    "clock_settime": call((227, 112), 0, 0),
    "adjtimex": call((159, 171), 0),
    "clock_adjtime": call((305, 266), 0, 0),
    "sethostname": call((170, 161), b"x", 1),
    "setdomainname": call((171, 162), b"x", 1),
    "vhangup": call((153, 58)),
    "sync": call((162, 81)),
    "syncfs": call((306, 267), 0),
    "mount_setattr": call((442, 442), -100, b"/", 0x8000, 0, 0),
    "statmount": "EPERM" if call((457, 457), 0, 0, 0, 0) in ("EPERM", "ENOSYS") else "open",
    "listmount": "EPERM" if call((458, 458), 0, 0, 0, 0) in ("EPERM", "ENOSYS") else "open",
}
worked = [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]
OLD = {"uselib": 134, "ustat": 136, "sysfs": 139, "nfsservctl": 180, "_sysctl": 156, "create_module": 174, "query_module": 178}
OLD |= {"get_kernel_syms": 177, "vserver": 236, "epoll_ctl_old": 214, "security": 185, "getpmsg": 181, "afs_syscall": 183, "tuxcall": 184}
if platform.machine() == "x86_64":
    worked += [name for name, number in OLD.items() if call((number, 0), 0, 0, 0) not in ("EPERM", "ENOSYS")]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
