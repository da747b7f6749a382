# id: H7
# tries: takes back uid 0, groups and capabilities
# expect: AC
import contextlib
import ctypes
import math
import os

worked = []
for name, change in {
    "setuid": lambda: os.setuid(0),
    "setresuid": lambda: os.setresuid(0, 0, 0),
    "setreuid": lambda: os.setreuid(-1, 0),
    "setgid": lambda: os.setgid(0),
    "setgroups": lambda: os.setgroups([0]),
    "chroot": lambda: os.chroot("/tmp"),
    "another uid": lambda: os.setuid(os.getuid() + 1),
}.items():
    with contextlib.suppress(OSError):
        change()
        worked.append(name)
with open("/proc/self/status") as file:
    status = dict(line.split(":\t", 1) for line in file)
worked += [name for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[name], 16)]
worked += [] if status["NoNewPrivs"].strip() == "1" else ["NoNewPrivs"]
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
if ctypes.CDLL(None).capset(header, (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)) == 0:
    worked.append("capset")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
