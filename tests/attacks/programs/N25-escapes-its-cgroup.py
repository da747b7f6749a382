# id: N25
# tries: leaves its control group: writes to the hierarchy, makes groups, and reads its path outside the namespace
# expect: AC
import contextlib
import math
import os

worked = []
with open("/proc/self/cgroup") as file:
    worked += [line for line in file if line.rstrip("\n").rpartition(":")[2] != "/"]
for folder, folders, names in os.walk("/sys/fs/cgroup"):
    for name in names:
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY))
            worked.append(f"can be written: {path}")
    for act in (os.mkdir, os.rmdir):
        with contextlib.suppress(OSError):
            act(os.path.join(folder, "mine"))
            worked.append(f"a group in {folder}")
    if folder.count("/") > 5:
        folders.clear()
with open("/proc/self/mountinfo") as file:
    for line in file:
        fields = line.split()
        if " - cgroup" in line and "ro" not in fields[5].split(","):
            worked.append(f"writable: {fields[4]}")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
