# id: N21
# tries: listens on names of the abstract namespace, as a server for other jobs
# expect: AC
import math
import os
import socket
import time

held = []
for number in range(20):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0gradus-{number}")
    listener.listen()
    held.append(listener)
if os.fork() == 0:
    os.setsid()
    while True:
        held[0].accept()[0].sendall(b"message")
time.sleep(0.2)
worked = []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
