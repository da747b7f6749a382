# id: D9
# tries: looks into the folders and environment variables from which compilers and torch load cached code
# expect: AC
import getpass
import math
import os
import time

time.sleep(0.15)
worked = []
home, user = os.path.expanduser("~"), getpass.getuser()
for top in ("/tmp", "/dev/shm", "/var/tmp", home):
    for name in (
        f"torchinductor_{user}",
        f"torch_extensions_{user}",
        ".triton",
        ".cache",
        ".nv",
        "__pycache__",
        ".local",
    ):
        if os.path.lexists(os.path.join(top, name)):
            worked.append(os.path.join(top, name))
worked += [name for name in os.environ if name.startswith(("TORCH", "TRITON", "XDG", "CUDA", "PYTHONP"))]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
