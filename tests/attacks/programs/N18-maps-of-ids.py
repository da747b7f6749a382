# id: N18
# tries: writes the uid and gid maps of its user namespace and of process 1's, and looks for a second id in them
# expect: AC
import contextlib
import math
import os

worked = []
for name, own in (("uid_map", os.getuid()), ("gid_map", os.getgid())):
    with open(f"/proc/self/{name}") as file:
        rows = [line.split() for line in file]
    worked += [] if rows == [[str(own), str(own), "1"]] else [(name, rows)]
for pid in ("self", "1", "thread-self"):
    for name in ("uid_map", "gid_map", "projid_map", "setgroups"):
        for text in ("0 0 1", "0 0 4294967295", f"0 {os.getuid()} 1", "allow", "deny"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/{name}", "w") as file:
                file.write(text)
                file.flush()
                worked.append((pid, name, text))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
