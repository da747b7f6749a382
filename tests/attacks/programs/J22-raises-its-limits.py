# id: J22
# tries: raises every resource limit
# expect: AC
import contextlib
import math
import resource

worked = []
for name in ("NPROC", "NOFILE", "FSIZE", "CORE", "MEMLOCK", "NICE", "RTPRIO", "SIGPENDING", "MSGQUEUE"):
    kind = getattr(resource, f"RLIMIT_{name}")
    hard = resource.getrlimit(kind)[1]
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (hard + 1, hard + 1))
        worked.append(name)
if resource.getrlimit(resource.RLIMIT_NPROC)[1] > 64 or resource.getrlimit(resource.RLIMIT_CORE)[1]:
    worked.append("no limit")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"raised {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
