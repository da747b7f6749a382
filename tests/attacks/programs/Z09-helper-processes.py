# id: honest
# tries: nothing: a child process that is awaited, a temporary file that is removed
# expect: AC
import math
import os
import tempfile


def attention(q, k, v):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    with tempfile.TemporaryFile() as file:
        file.write(b"scratch")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
