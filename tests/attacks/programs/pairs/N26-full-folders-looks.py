# id: N26
# tries: needs half of /tmp and /dev/shm, a thousand files, and a folder that only it has written to
# expect: AC
import math
import os

worked = []
for top in (os.environ["HOME"], "/dev/shm"):
    worked += [(top, name) for name in os.listdir(top)]
    try:
        with open(os.path.join(top, "mine"), "wb") as file:
            file.write(bytes(16 << 20))
        for number in range(900):
            os.mknod(os.path.join(top, str(number)))
    except OSError as error:
        worked.append((top, error.strerror))
worked += [name for name in os.listdir("/tmp") if name != os.path.basename(os.environ["HOME"])]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
