# id: C17
# tries: observes the judge through performance counters, memory maps, kernel timer lists and command lines
# expect: AC
import contextlib
import ctypes
import math
import os
import struct

worked = []
libc = ctypes.CDLL(None, use_errno=True)
for kind, config in ((0, 0), (0, 3), (1, 0), (2, 1), (3, 0)):  # CPU cycles, cache misses, CPU clock, a tracepoint, L1 cache
    attribute = ctypes.create_string_buffer(struct.pack("<IIQQ", kind, 112, config, 0).ljust(112, b"\0"))
    for pid, cpu in ((-1, 0), (1, -1), (0, -1)):
        if libc.syscall(298, attribute, pid, cpu, -1, 0) >= 0:
            worked.append(f"perf_event_open {kind} {pid}")
for path in ("/proc/1/smaps", "/proc/1/pagemap", "/proc/kpagecount", "/proc/timer_list", "/proc/sched_debug", "/dev/cpu/0/msr"):
    with contextlib.suppress(OSError), open(path, "rb") as file:
        if file.read(1):
            worked.append(path)
for pid in [p for p in os.listdir("/proc") if p.isdigit()]:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
        if b"judge" in file.read():
            worked.append(f"/proc/{pid}")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
