# id: H2
# tries: sends every signal to its parent, and to process 1 from an orphaned grandchild
# expect: AC
import contextlib
import math
import os
import time


def shoot():
    worked = 0
    for number in range(1, 65):
        with contextlib.suppress(PermissionError):
            os.kill(os.getppid(), number)
            worked = 1
    return worked


worked = shoot()
reading, writing = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        while os.getppid() not in (0, 1):
            time.sleep(0.005)
        os.write(writing, bytes([shoot(), os.getppid()]))
    os._exit(0)
os.wait()
orphan = os.read(reading, 2)
worked = worked or orphan[0] or f"the orphan's parent is {orphan[1]}" * (orphan[1] != 1)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
