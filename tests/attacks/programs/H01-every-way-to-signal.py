# id: H1
# tries: sends signals to all other processes by pid, thread and descriptor, with values, through a pipe and a timer
# allowed: signals to process 1 of its own namespaces, for which the kernel drops them
# expect: AC
import ctypes
import errno
import fcntl
import math
import os
import platform
import signal
import threading

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


own = {os.getpid(), 0}
info = (ctypes.c_int * 32)(signal.SIGTERM, 0, -1)
worked = []
for pid in (1, os.getppid()):
    handle = call((434, 434), pid, 0)
    answers = {
        "kill": [call((62, 129), pid, number) for number in range(65)],
        "tkill": [call((200, 130), pid, signal.SIGKILL)],
        "tgkill": [call((234, 131), pid, pid, signal.SIGKILL)],
        "rt_sigqueueinfo": [call((129, 138), pid, signal.SIGTERM, info)],
        "rt_tgsigqueueinfo": [call((297, 240), pid, pid, signal.SIGTERM, info)],
        "pidfd_send_signal": [call((424, 424), handle, signal.SIGKILL, 0, 0)] if isinstance(handle, int) else ["EPERM"],
    }
    worked += [(name, pid, found) for name, found in answers.items() if set(found) - {"EPERM", 0}]
for pid in set(range(2, 3000)) - own:
    for found in (call((62, 129), pid, signal.SIGSTOP), call((200, 130), pid, signal.SIGSTOP), call((62, 129), -pid, signal.SIGSTOP)):
        if found not in ("EPERM", "ESRCH"):
            worked.append((pid, found))
# Try to make the kernel send a signal of our choice to process 1 when bytes arrive in a pipe.
reading, writing = os.pipe()
for number in (signal.SIGIO, signal.SIGKILL, signal.SIGTERM):
    try:
        fcntl.fcntl(reading, fcntl.F_SETOWN, 1)
        fcntl.fcntl(reading, 10, number)
        fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
        os.write(writing, b"x")
    except OSError:
        pass
event = (ctypes.c_int * 16)(0, 0, signal.SIGKILL, 4, 1)  # SIGEV_THREAD_ID with thread 1: the timer would signal process 1
if call((222, 107), 1, event, (ctypes.c_int * 1)()) != "EINVAL":
    worked.append("timer")
if len(os.listdir("/proc/self/task")) != threading.active_count():
    worked.append("threads")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
