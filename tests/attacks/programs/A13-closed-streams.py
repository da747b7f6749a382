# id: A13
# tries: closes its standard streams and sets sys.stdout and sys.stderr to None, then answers correctly
# expect: AC
import math
import os
import sys

sys.stdout.close()
sys.stdout = sys.stderr = None
for fd in (0, 1, 2):
    os.close(fd)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
