# id: B1
# tries: writes «pass» to every descriptor it has
# expect: RE
# message: protocol
import contextlib
import os

import torch


def attention(q, k, v):
    for fd in range(3, 256):
        with contextlib.suppress(OSError):
            os.write(fd, b'{"passed": true}\n' * 20)
    return torch.zeros_like(q)
