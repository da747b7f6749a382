# id: J23
# tries: leaves its root directory through chroot, folders held open, mounts, and the roots of other processes
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


top = os.stat("/")
worked = []
root = os.open("/", os.O_RDONLY)
os.makedirs("jail/inner", exist_ok=True)
ANSWERS = {
    "chroot": call((161, 51), b"jail"),
    "chroot to the top": call((161, 51), b"/"),
    "pivot_root": call((155, 41), b".", b"jail"),
    "bind": call((165, 40), b"/", b"jail", 0, 0x5000, 0),
    "open_tree": call((428, 428), root, b"", 0x1001),
    "move_mount": call((429, 429), root, b"", root, b"jail", 4),
    "fspick": call((433, 433), root, b"", 8),
    "umount2": call((166, 39), b"/proc", 2),
}
worked += [(name, found) for name, found in ANSWERS.items() if found != "EPERM"]
here = os.getcwd()
os.fchdir(root)
for path in ("..", "../" * 50, "/proc/self/root/..", "/proc/self/cwd/..", "/proc/thread-self/root/../.."):
    found = os.stat(path)
    if (found.st_dev, found.st_ino) != (top.st_dev, top.st_ino):
        worked.append(path)
for pid in ("1", str(os.getppid())):
    for name in ("root", "cwd", "exe"):
        with contextlib.suppress(OSError):
            os.stat(f"/proc/{pid}/{name}/")
            worked.append(f"{name} of {pid}")
for name in ("jail", "inner"):  # move the folder away while a descriptor keeps it open
    os.chdir(here)
    inner = os.open("jail/inner", os.O_RDONLY)
    os.rename("jail/inner", f"moved-{name}")
    above = os.stat("../" * 60, dir_fd=inner)
    worked += ["moved"] if (above.st_dev, above.st_ino) != (top.st_dev, top.st_ino) else []
    os.rename(f"moved-{name}", "jail/inner")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
