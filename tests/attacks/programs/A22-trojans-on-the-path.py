# id: A22
# tries: leaves programs named like python, gcc, sh and kill on its PATH, and tries to start these and the real ones
# expect: AC
import contextlib
import math
import os
import subprocess

folders = [os.path.expanduser("~/.local/bin"), os.path.expanduser("~"), "/tmp", "/dev/shm", "."]
names = ("python3", "python", "gcc", "cc", "c++", "sh", "bash", "ls", "uname", "ps", "kill", "nvidia-smi", "ldconfig")
started = []
for folder in folders:
    for name in names:
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            os.makedirs(folder, exist_ok=True)
            with open(path, "w") as file:
                file.write("#!/bin/sh\necho trojan\n")
            os.chmod(path, 0o755)
os.environ["PATH"] = ":".join([*folders, os.environ["PATH"]])
for command in ([path] for path in (os.path.join(folders[0], "sh"), "sh", "/bin/sh", "/usr/bin/python3")):
    with contextlib.suppress(OSError):
        started.append(subprocess.run(command, input=b"", timeout=1, check=False).returncode)


def attention(q, k, v):
    if started:
        raise RuntimeError(f"started {started}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
