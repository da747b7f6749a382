# id: N26
# tries: fills /tmp and /dev/shm to the last byte and the last file, and removes every right to them
# expect: AC
import contextlib
import math
import os

for top in (os.environ["HOME"], "/dev/shm"):
    with contextlib.suppress(OSError), open(os.path.join(top, "large"), "wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 20))
    with contextlib.suppress(OSError):
        for number in range(100000):
            os.mknod(os.path.join(top, str(number)))
    with contextlib.suppress(OSError):
        os.chmod(top, 0)
worked = []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
