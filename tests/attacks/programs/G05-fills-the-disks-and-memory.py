# id: G5
# tries: fills the disks, which count as memory, and then allocates memory, so that only the zygote is left to kill
# expect: MLE
import contextlib
import os


def attention(q, k, v):
    for top in ("/tmp", "/dev/shm"):
        with contextlib.suppress(OSError), open(os.path.join(top, "full"), "wb") as file:
            while True:
                file.write(bytes(1 << 20))
    held = []
    while True:
        held.append(bytearray(4 << 20))
