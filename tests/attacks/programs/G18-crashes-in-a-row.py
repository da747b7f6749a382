# id: G18
# tries: fills the kernel's log with children that crash and children that the system call filter kills
# expect: AC
import ctypes
import math
import os

ended = []
for number in range(40):
    pid = os.fork()
    if pid == 0:
        if number % 2:
            ctypes.string_at(0)
        ctypes.CDLL(None).syscall(0x40000000 + 39)  # getpid of the x32 ABI: on x86_64, the filter kills the child
        os._exit(7)
    ended.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
worked = [code for code in ended[1::2] if code != -11]
worked += [code for code in ended[::2] if code not in ((-31,) if os.uname().machine == "x86_64" else (-31, 7))]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
