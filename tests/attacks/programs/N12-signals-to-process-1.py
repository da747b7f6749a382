# id: N12
# tries: sends every signal to process 1, in four ways, from itself and from an orphan; process 1 goes on reaping
# expect: AC
import contextlib
import ctypes
import errno
import math
import os
import platform
import signal
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


def shoot():
    handle = os.pidfd_open(1)
    for number in range(1, 65):
        for send in (
            lambda number: os.kill(1, number),
            lambda number: call((234, 131), 1, 1, number),
            lambda number: call((129, 138), 1, number, (ctypes.c_int * 32)(number, 0, -1)),
            lambda number: signal.pidfd_send_signal(handle, number),
        ):
            with contextlib.suppress(OSError):
                send(number)
    os.close(handle)


shoot()
if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(0.05)
        shoot()
    os._exit(0)
os.wait()
time.sleep(0.1)
with open("/proc/1/stat") as file:
    state = file.read().rpartition(")")[2].split()[0]
worked = [] if state in "SR" else [f"process 1 is in state {state}"]
left = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
worked += [f"process 1 left {left}"] if left else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
