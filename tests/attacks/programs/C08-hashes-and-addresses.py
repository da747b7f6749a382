# id: C8
# tries: checks whether hashes and addresses are the same in every process, and tries to turn address randomisation off
# expect: AC
import contextlib
import ctypes
import math
import os
import sys

fixed = "PYTHONHASHSEED" in os.environ or not sys.flags.hash_randomization
unmoved = False
with contextlib.suppress(FileNotFoundError), open("/proc/sys/kernel/randomize_va_space") as file:
    unmoved = int(file.read()) < 2
ctypes.CDLL(None).personality(0xFFFFFFFF)
ctypes.CDLL(None).personality(0x0040000)
still = ctypes.CDLL(None).personality(0xFFFFFFFF) == 0x0040000


def attention(q, k, v):
    if fixed or unmoved or still:
        raise RuntimeError(f"{fixed=} {unmoved=} {still=}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
