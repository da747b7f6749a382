# id: H2
# tries: sends every signal to its parent, and to process 1 from an orphaned grandchild
# allowed: sending them; the kernel drops signals to process 1 of its own namespaces, which goes on
# expect: AC
import contextlib
import math
import os
import time


def shoot():
    for number in range(1, 65):
        with contextlib.suppress(PermissionError):
            os.kill(os.getppid(), number)


shoot()
reading, writing = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        while os.getppid() not in (0, 1):
            time.sleep(0.005)
        shoot()
        os.write(writing, bytes([os.getppid()]))
    os._exit(0)
os.wait()
orphan = os.read(reading, 1)
worked = f"the orphan's parent is {orphan[0]}" * (orphan[0] != 1)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
