# id: N21
# tries: connects to the names on which another job listens, and takes them for itself
# expect: AC
import contextlib
import math
import socket
import time

time.sleep(0.1)
worked = []
for number in range(20):
    with contextlib.suppress(ConnectionRefusedError), socket.socket(socket.AF_UNIX) as client:
        client.connect(f"\0gradus-{number}")
        worked.append(f"connected to {number}")
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(f"\0gradus-{number}")
    except OSError:
        worked.append(f"the name {number} is taken")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
