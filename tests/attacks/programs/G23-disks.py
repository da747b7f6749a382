# id: G23
# tries: writes to every mounted filesystem and to folders all over the disk, and remounts read-only filesystems
# expect: AC
import contextlib
import ctypes
import errno
import math
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


OWN = ("/tmp", "/dev/shm")
worked = []
with open("/proc/self/mountinfo") as file:
    mounts = {line.split()[4]: line.split()[5].split(",") for line in file}
worked += [f"{path} is {mounts[path]}" for path in OWN if not {"noexec", "nosuid", "nodev"} <= set(mounts[path])]
worked += ["/ is writable"] if "ro" not in mounts["/"] else []
folders = [*mounts, "/root", "/opt", "/opt/gradus", "/var/tmp", "/var/lib", "/var/log", "/run", "/run/lock", "/home", "/srv", "/mnt"]
folders += [path for path, _, _ in os.walk("/usr/lib")][:400]
for folder in {each for each in folders if not each.startswith(OWN)}:
    with contextlib.suppress(OSError):
        os.close(os.open(os.path.join(folder, "written"), os.O_CREAT | os.O_WRONLY, 0o600))
        worked.append(folder)
for path in mounts:
    if call((165, 40), b"none", path.encode(), b"none", 32, 0) != "EPERM":
        worked.append(f"mounted {path} anew")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
