# id: H3
# tries: traces the zygote, its own parent, its children and its threads
# expect: AC
import ctypes
import errno
import math
import os
import platform
import signal
import threading
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
REQUESTS = {"traceme": 0, "peek": 1, "poke": 4, "continue": 7, "kill": 8, "attach": 16, "seize": 0x4206, "interrupt": 0x4207}


child = os.fork()
if child == 0:
    if call((101, 117), 0, 0, 0, 0) != "EPERM":  # PTRACE_TRACEME asks to be traced by the parent
        os._exit(1)
    time.sleep(1000)
threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
threads = [int(name) for name in os.listdir("/proc/self/task")]
worked = [
    (name, pid)
    for pid in (1, os.getppid(), child, *threads)
    for name, request in REQUESTS.items()
    if call((101, 117), request, pid, 0, 0) != "EPERM"
]
if os.waitpid(child, os.WNOHANG) != (0, 0):
    worked.append("a child was traced")
os.kill(child, signal.SIGKILL)
with open("/proc/self/status") as status:
    worked += [line for line in status if line.startswith("TracerPid") and int(line.split()[1])]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
