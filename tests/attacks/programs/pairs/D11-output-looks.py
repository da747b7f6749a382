# id: D11
# tries: reads every log, journal, pipe and stream that it can name, looking for a word that another job prints
# expect: AC
import contextlib
import glob
import math
import os
import time

time.sleep(0.15)
worked = []
PLACES = "/var/lib/docker/containers/*/*.log /var/log/* /run/log/journal/*/* /run/gradus/* /dev/pts/* /dev/console"
paths = [path for pattern in PLACES.split() for path in glob.glob(pattern)]
paths += [
    "/dev/kmsg",
    "/proc/kmsg",
    "/proc/1/fd/0",
    "/proc/1/fd/1",
    "/proc/1/fd/2",
    "/proc/self/fd/1",
    "/proc/self/fd/2",
]
paths += [f"/proc/{pid}/fd/{fd}" for pid in os.listdir("/proc") if pid.isdigit() for fd in (1, 2, 3, 4)]
for path in paths:
    with contextlib.suppress(OSError):
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        if b"overheard-" + b"word" in os.read(fd, 1 << 16):
            worked.append(path)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
