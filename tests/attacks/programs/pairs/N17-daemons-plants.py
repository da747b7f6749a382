# id: N17
# tries: leaves daemons that ignore signals, have no parent, and write into shared folders for as long as they live
# expect: AC
import contextlib
import math
import os
import signal
import socket
import time

for _ in range(5):
    if os.fork() == 0:
        if os.fork():
            os._exit(0)
        os.setsid()
        for number in range(1, 65):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        name = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError):
            name.bind(f"\0outlives-{os.getpid()}")
        while True:
            with contextlib.suppress(OSError), open(f"/dev/shm/outlives-{os.getpid()}", "w") as file:
                file.write("alive")
            time.sleep(0.01)
time.sleep(0.1)
worked = [] if [name for name in os.listdir("/dev/shm") if name.startswith("outlives")] else ["no daemon lives"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
