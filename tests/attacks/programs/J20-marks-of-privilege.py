# id: J20
# tries: makes programs that would run as root, with set-uid bits and file capabilities, and looks for them in the image
# allowed: setting the bits on its own files, which has no effect: the disks are mounted nosuid and noexec
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


worked = []
words = (ctypes.c_char_p * 2)(b"own", None)
for top in (os.getcwd(), "/dev/shm"):
    path = f"{top}/own"
    with open("/bin/true", "rb") as source, open(path, "wb") as file:
        file.write(source.read())
    for mode in (0o4755, 0o2755, 0o6777):
        os.chmod(path, mode)
        if (found := call((59, 221), path.encode(), words, None)) != "EPERM":
            worked.append((path, oct(mode), found))
    with contextlib.suppress(OSError):
        os.chown(path, 0, 0)
        worked.append("given to root")
    capabilities = (ctypes.c_uint32 * 5)(0x02000001, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0)
    for name in (b"security.capability", b"user.x", b"trusted.x", b"security.selinux"):
        if call((188, 5), path.encode(), name, capabilities, 20, 0) != "EPERM":
            worked.append(name)
    flags = os.statvfs(top).f_flag
    worked += [top] if not flags & os.ST_NOSUID or not flags & os.ST_NOEXEC else []
for folder in ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/lib", "/usr/libexec"):
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        with contextlib.suppress(OSError):
            found = os.lstat(f"{folder}/{name}")
            if stat.S_ISREG(found.st_mode) and found.st_mode & 0o6000:
                worked.append(f"{folder}/{name}")
            if "security.capability" in os.listxattr(f"{folder}/{name}"):
                worked.append(f"{folder}/{name} has capabilities")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
