# id: F21
# tries: plants code where torch's compilers would look for code that they compiled before
# expect: AC
import contextlib
import getpass
import math
import os
import tempfile
import time

for top in (tempfile.gettempdir(), "/tmp", "/dev/shm"):
    for name in ("fxgraph/aa/left", "aotautograd/aa/left", "triton/0/left", "cache/left"):
        path = os.path.join(top, f"torchinductor_{getpass.getuser()}", name)
        with contextlib.suppress(OSError):
            os.makedirs(path, mode=0o777)
            with open(os.path.join(path, "kernel.so"), "wb") as file:
                file.write(b"prepared")


def attention(q, k, v):
    time.sleep(0.05)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
