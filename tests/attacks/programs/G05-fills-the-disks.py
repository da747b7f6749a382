# id: G5
# tries: fills every writable filesystem through files that it has already deleted
# expect: AC
import contextlib
import math
import os

for top in ("/tmp", "/dev/shm"):
    with contextlib.suppress(OSError), open(os.path.join(top, "full"), "wb") as file:
        os.unlink(os.path.join(top, "full"))
        held = os.dup(file.fileno())
        while True:
            os.write(held, bytes(1 << 20))


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
