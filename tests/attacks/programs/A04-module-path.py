# id: A4
# tries: looks for writable folders on the module path, where it could place or replace modules
# expect: AC
import math
import os
import site
import sys

WRITABLE = [folder for folder in sys.path if os.access(folder or ".", os.W_OK)]
OWN = [folder for folder in sys.path if folder in ("", ".", os.getcwd(), os.path.expanduser("~"), site.getusersitepackages())]


def attention(q, k, v):
    if WRITABLE or OWN:
        raise RuntimeError(f"{WRITABLE} {OWN}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
