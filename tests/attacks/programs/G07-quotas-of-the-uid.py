# id: G7
# tries: uses up what the kernel counts per uid: pipe pages, inotify instances and watches, timers; then answers correctly
# expect: AC
import contextlib
import ctypes
import fcntl
import math
import os

libc = ctypes.CDLL(None, use_errno=True)
held = []
while (instance := libc.inotify_init1(0)) >= 0:
    held.append(instance)
    for path in ("/", "/tmp", "/dev", "/proc", "/usr"):
        libc.inotify_add_watch(instance, path.encode(), 0xFFF)
    if len(held) == 150:
        break
with contextlib.suppress(OSError):
    while len(held) < 230:
        ends = os.pipe()
        held += ends
        fcntl.fcntl(ends[0], 1031, 1 << 20)
while libc.timerfd_create(1, 0) >= 0:
    pass
timer = ctypes.c_void_p()
for _ in range(2000):
    if libc.timer_create(1, None, ctypes.byref(timer)):
        break
for each in held:
    os.close(each)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
