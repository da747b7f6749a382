# id: D1
# tries: leaves files, open descriptors to deleted files, and shared memory for the next job
# expect: AC
import contextlib
import math
import mmap
import os
import time

kept = []
for top in ("/tmp", "/dev/shm", "/var/tmp", "/run", os.environ["HOME"], "/"):
    with contextlib.suppress(OSError):
        path = os.path.join(top, "message")
        fd = os.open(path, os.O_RDWR | os.O_CREAT)
        os.write(fd, b"m" * 8192)
        kept.append(mmap.mmap(fd, 8192))
        os.chmod(path, 0o666)
        os.link(path, path + "-again")
memory = os.memfd_create("message")
os.write(memory, b"m" * 4096)


def attention(q, k, v):
    time.sleep(0.05)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
