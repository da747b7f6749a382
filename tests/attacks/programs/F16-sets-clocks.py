# id: F16
# tries: sets, adjusts and replaces the machine's clocks
# expect: AC
import contextlib
import ctypes
import math
import os
import platform
import time

libc = ctypes.CDLL(None, use_errno=True)
now, worked = (ctypes.c_long * 32)(), []
for clock in range(8):
    with contextlib.suppress(OSError, AttributeError):
        time.clock_settime(clock, 1.0)
        worked.append(f"clock {clock}")
if platform.machine() == "x86_64":
    CALLS = {"settimeofday": (164, now, None), "adjtimex": (159, now), "clock_adjtime": (305, 0, now)}
    CALLS |= {"clock_settime": (227, 0, now), "time namespace": (272, 0x80)}
    now[0] = 1
    worked += [name for name, (number, *rest) in CALLS.items() if libc.syscall(number, *rest) >= 0]
for path in (
    "/proc/self/timens_offsets",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
    "/dev/rtc0",
):
    with contextlib.suppress(OSError), open(path, "w") as file:
        file.write("monotonic 86400 0")
        file.flush()
        worked.append(path)
os.environ["LD_PRELOAD"], os.environ["FAKETIME"] = "libfaketime.so.1", "-1d"


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
