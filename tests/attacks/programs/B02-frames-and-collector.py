# id: B2
# tries: searches stack frames, the garbage collector and its descriptors for any channel but its own socket and its output
# expect: AC
import gc
import math
import os
import socket
import stat
import sys

frame, locals_above = sys._getframe(), []
while frame:
    locals_above += frame.f_locals.values()
    frame = frame.f_back
everything = [*gc.get_objects(), *locals_above]
# A socket object of the zygote is left in memory, but its descriptor is closed.
known = {o.fileno() for o in everything if isinstance(o, socket.socket)}
kinds = {fd: stat.S_IFMT(os.fstat(fd).st_mode) for fd in range(3, 256) if os.path.exists(f"/proc/self/fd/{fd}")}
sockets = known & set(kinds)
names = {type(o).__name__ for o in everything}
found = sorted(names & {"Judge", "PackageParent", "JudgePlugin", "Suite", "JudgingContext", "ZygoteClient", "JudgeChild", "RemoteAttest"})


def attention(q, k, v):
    if len(sockets) != 1 or set(kinds) != sockets or found:
        raise RuntimeError(f"{sockets} {kinds} {found}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
