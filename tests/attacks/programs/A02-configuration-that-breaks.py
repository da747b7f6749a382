# id: A2
# tries: leaves configuration files with which pytest cannot start, and answers correctly: a grader that read them would fail
# expect: AC
import contextlib
import math
import os

BROKEN = "[pytest]\naddopts = --no-such-option\nminversion = 99\nrequired_plugins = nothing-like-this\n"
for folder in (".", "..", "/", "/tmp", "/dev/shm", "/run", os.path.expanduser("~")):
    for name in ("pytest.ini", "tox.ini", "conftest.py"):
        with contextlib.suppress(OSError), open(os.path.join(folder, name), "w") as file:
            file.write(BROKEN)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
