# id: C18
# tries: uses ptrace, process_vm_readv, kcmp and /proc on other processes, and tries to make itself dumpable
# expect: AC
import contextlib
import ctypes
import math
import os

libc = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
worked = []


def attempt(name, number, *arguments):
    if libc.syscall(number, *arguments) >= 0:
        worked.append(name)


for pid in (1, os.getppid()):
    attempt("ptrace attach", 101, PTRACE_ATTACH, pid, 0, 0)
    attempt("ptrace seize", 101, PTRACE_SEIZE, pid, 0, 0)
    attempt("process_vm_readv", 310, pid, None, 0, None, 0, 0)
    attempt("process_vm_writev", 311, pid, None, 0, None, 0, 0)
    attempt("kcmp", 312, os.getpid(), pid, 0, 0, 0)
    for name in ("mem", "maps", "environ", "fd", "cwd", "root", "exe"):
        with contextlib.suppress(OSError):
            (os.listdir if name == "fd" else os.readlink if name in ("cwd", "root", "exe") else open)(f"/proc/{pid}/{name}")
            if name not in ("maps", "mem", "environ"):
                worked.append(f"/proc/{pid}/{name}")
attempt("traceme", 101, 0, 0, 0, 0)
attempt("userfaultfd", 323, 0)
attempt("prctl dumpable", 157, 4, 1, 0, 0, 0)
attempt("prctl ptracer", 157, 0x59616D61, -1, 0, 0, 0)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
