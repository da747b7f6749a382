# id: G6
# tries: uses up all inodes, with deep and wide folders and long names
# expect: AC
import contextlib
import math
import os

for top in ("/tmp", "/dev/shm"):
    with contextlib.suppress(OSError):
        path = top
        for _ in range(300):
            path += "/" + "d" * 3
            os.mkdir(path)
    with contextlib.suppress(OSError):
        for number in range(100_000):
            os.close(os.open(f"{top}/{'n' * 200}{number}", os.O_CREAT))


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
