# id: N24
# tries: needs namespaces of its own, after another job tried to use them up
# expect: AC
import math
import os

worked = [] if os.getppid() == 1 else [f"its parent is {os.getppid()}"]
with open("/proc/self/uid_map") as file:
    worked += [] if file.read().split()[2:] == ["1"] else ["all ids are mapped"]
worked += [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
