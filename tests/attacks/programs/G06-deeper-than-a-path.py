# id: G6
# tries: creates folders nested deeper than any path can express, with long names, and makes them inaccessible
# expect: AC
import contextlib
import math
import os

depth = 0
for top in ("/tmp", "/dev/shm"):
    with contextlib.suppress(OSError):
        os.chdir(top)
        os.mkdir("deep", 0o700)
        os.chdir("deep")
        while True:
            os.mkdir("d" * 240, 0o700)
            os.chdir("d" * 240)
            os.chmod("..", 0)
            depth += 1


def attention(q, k, v):
    if not 100 < depth < 6000:
        raise RuntimeError(f"{depth} folders deep")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
