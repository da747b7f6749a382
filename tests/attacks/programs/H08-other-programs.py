# id: H8
# tries: runs other programs: a shell, Python, su, mount, one from memory, one through the dynamic loader
# expect: AC
import contextlib
import glob
import math
import os
import subprocess
import sys

worked = []
for command in (["/bin/sh", "-c", "true"], [sys.executable, "-c", "1"], ["/bin/su"], ["/bin/mount"]):
    with contextlib.suppress(OSError):
        worked.append((command, subprocess.run(command, check=False).returncode))
with contextlib.suppress(OSError):
    memory = os.memfd_create("program")
    with open("/bin/true", "rb") as file:
        os.write(memory, file.read())
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(OSError):
            os.execve(memory, ["true"], {})
        os._exit(77)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 77:
        worked.append("memfd")
loaders = glob.glob("/lib*/ld-linux*.so*")
if loaders and os.system(f"{loaders[0]} /bin/true") == 0:
    worked.append("loader")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
