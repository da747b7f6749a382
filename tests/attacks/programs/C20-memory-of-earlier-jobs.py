# id: C20
# tries: searches fresh and freed memory of every size for the source of answers that were judged earlier
# expect: AC
import ctypes
import math
import mmap

import torch

WORDS = [part + b" = (q @ k" for part in (b"weights", b"scores")] + [b"'tests_" + b"lock'", b"test_results" + b"_are_its"]
found = []


def look(memory, what):
    found.extend((what, word) for word in WORDS if word in memory)


libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
for power in range(5, 21):
    size = 1 << power
    blocks = [torch.empty(size, dtype=torch.uint8) for _ in range(4)]
    for block in blocks:
        look(block.numpy().tobytes(), size)
    for _ in range(4):
        look(ctypes.string_at(libc.malloc(size), size), size)
with mmap.mmap(-1, 4 << 20) as fresh:
    look(fresh[:], "mmap")


def attention(q, k, v):
    if found:
        raise RuntimeError(f"found {found}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
