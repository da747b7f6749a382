# id: honest
# tries: nothing: an honest answer with a child process that it waits for and a temporary file that it removes
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
