# id: C6
# tries: looks for seeds, tokens and paths in the environment and in argv
# expect: AC
import math
import os
import sys

ALLOWED = set(
    "PATH HOME TMPDIR USER LOGNAME LANG OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS PYTHONDONTWRITEBYTECODE".split()
)


def attention(q, k, v):
    extra = set(os.environ) - ALLOWED
    known = [name for name in ("GRADUS", "SEED", "TOKEN", "tests.py", "job-id") if name in str(sys.argv)]
    if extra or known:
        raise RuntimeError(f"found {extra} {known}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
