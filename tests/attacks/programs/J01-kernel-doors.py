# id: J1
# tries: makes forbidden system calls: mounts, namespaces, io_uring, bpf, perf, file handles, modules, swap, clocks and others
# expect: AC
import ctypes
import math
import platform

libc = ctypes.CDLL(None, use_errno=True)
CALLS = {
    "mount": (165, b"none", b"/tmp", b"tmpfs", 0, None),
    "umount2": (166, b"/tmp", 2),
    "pivot_root": (155, b"/tmp", b"/tmp"),
    "fsopen": (430, b"tmpfs", 0),
    "open_tree": (428, -100, b"/", 1),
    "unshare user": (272, 0x10000000),
    "unshare net": (272, 0x40000000),
    "clone newuser": (56, 0x10000011, 0, 0, 0, 0),
    "setns": (308, 3, 0),
    "io_uring_setup": (425, 1, (ctypes.c_char * 256)()),
    "bpf": (321, 0, (ctypes.c_char * 256)(), 128),
    "perf_event_open": (298, (ctypes.c_char * 256)(), 0, -1, -1, 0),
    "open_by_handle_at": (304, -100, (ctypes.c_char * 64)(), 0),
    "name_to_handle_at": (303, -100, b"/", (ctypes.c_char * 64)(), (ctypes.c_int * 1)(), 0),
    "fanotify_init": (300, 0, 0),
    "init_module": (175, b"", 0, b""),
    "kexec_load": (246, 0, 0, None, 0),
    "swapon": (167, b"/tmp/x", 0),
    "reboot": (169, 0xFEE1DEAD, 672274793, 0),
    "settimeofday": (164, (ctypes.c_long * 2)(), None),
    "syslog": (103, 3, (ctypes.c_char * 64)(), 64),
    "quotactl": (179, 0, None, 0, None),
    "iopl": (172, 3),
    "personality": (135, 0x0040000),
    "modify_ldt": (154, 1, (ctypes.c_char * 64)(), 16),
    "mbind": (237, 0, 0, 0, None, 0, 0),
    "memfd_secret": (447, 0),
    "pidfd_getfd": (438, 3, 0, 0),
    "process_madvise": (440, 3, None, 0, 4, 0),
    "seccomp": (317, 1, 0, None),
    "vmsplice": (278, 0, None, 0, 0),
}
worked = []
if platform.machine() == "x86_64":
    worked += [name for name, (number, *rest) in CALLS.items() if libc.syscall(number, *rest) >= 0]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
