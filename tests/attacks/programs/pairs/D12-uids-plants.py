# id: D12
# tries: forks and waits, and fails if another job kills its child process
# expect: AC
import math
import os
import time


def attention(q, k, v):
    pid = os.fork()
    if not pid:
        time.sleep(0.02)
        os._exit(7)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 7:
        raise RuntimeError("somebody killed a process of mine")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
