# id: J11
# tries: opens every device that exists, looks for dangerous ones, and creates devices of its own
# expect: AC
import contextlib
import ctypes
import errno
import math
import os
import platform
import stat

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers, *arguments):
    """Make a system call. `numbers` are its x86_64 and its aarch64 number. Return its result, or its error such as "EPERM"."""
    number = numbers[platform.machine() == "aarch64"]
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *plain)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else result


KNOWN = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"}
worked = []
for folder, _, files in os.walk("/dev"):
    for name in files:
        with contextlib.suppress(OSError):
            found = os.lstat(os.path.join(folder, name))
            if stat.S_ISBLK(found.st_mode) or stat.S_ISCHR(found.st_mode) and name not in KNOWN and folder != "/dev/pts":
                worked.append(os.path.join(folder, name))
names = ("mem", "port", "kmsg", "kvm", "fuse", "uinput", "uhid", "net/tun", "vhost-net", "loop-control", "loop0", "sda", "vda")
names += ("nvidiactl", "nvidia-caps", "dri", "snd", "hpet", "rtc0", "watchdog", "vfio/vfio", "userfaultfd", "core", "bus/usb")
for name in names:
    for flags in (os.O_RDONLY, os.O_RDWR):
        with contextlib.suppress(OSError):
            os.close(os.open(f"/dev/{name}", flags | os.O_NONBLOCK))
            worked.append(name)
for kind, major, minor in ((stat.S_IFCHR, 1, 1), (stat.S_IFCHR, 1, 3), (stat.S_IFCHR, 10, 232), (stat.S_IFBLK, 8, 0), (stat.S_IFBLK, 254, 0)):
    for top in ("/tmp", "/dev/shm", "/dev"):
        with contextlib.suppress(OSError):
            os.mknod(f"{top}/device", kind | 0o666, os.makedev(major, minor))
            worked.append(f"made {major}:{minor}")
with contextlib.suppress(OSError):
    os.mknod("/tmp/white-out", stat.S_IFCHR, 0)  # creating this device needs no capability, but opening it must fail
    os.open("/tmp/white-out", os.O_RDONLY)
    worked.append("device 0:0")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
