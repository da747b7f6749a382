# id: A17
# tries: overwrites and removes the code of the grader, of torch and of pytest
# expect: AC
import contextlib
import math
import os
import shutil
import sys

import torch

TARGETS = [m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None)][:100]


def attention(q, k, v):
    for path in TARGETS:
        with contextlib.suppress(OSError):
            os.chmod(path, 0o777)
        with contextlib.suppress(OSError):
            os.unlink(path)
            raise RuntimeError(f"could remove {path}")
        with contextlib.suppress(OSError), open(path, "a"):
            raise RuntimeError(f"could open {path} for writing")
    shutil.rmtree(os.path.join(os.path.dirname(torch.__file__), "optim"), ignore_errors=True)
    if not os.path.exists(torch.optim.__file__):
        raise RuntimeError("could remove a folder of torch")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
