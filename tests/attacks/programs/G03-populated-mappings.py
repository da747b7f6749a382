# id: G3
# tries: maps shared memory that the kernel populates immediately
# expect: MLE
# message: used more than 192 MB
import mmap


def attention(q, k, v):
    held = []
    while True:
        held.append(mmap.mmap(-1, 16 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE))
