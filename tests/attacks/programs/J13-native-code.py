# id: J13
# tries: brings its own machine code and runs it: from memory, from files, through the loader, with exec
# allowed: running machine code in its own process, which ctypes and mmap make possible. The code gains no rights: it cannot
#          start a program or map code from the writable disks, and the system call filter applies to it too
# expect: AC
import contextlib
import ctypes
import errno
import glob
import math
import mmap
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


worked = []
program = open("/bin/true", "rb").read()
paths = [f"{top}/program" for top in (os.getcwd(), "/dev/shm")]
for path in paths:
    with open(path, "wb") as file:
        file.write(program)
    os.chmod(path, 0o755)
memory = os.memfd_create("program")
os.write(memory, program)
words = (ctypes.c_char_p * 2)(b"true", None)


def refused(name, *found):
    if set(found) != {"EPERM"}:
        worked.append((name, found))


for path in (*paths, "/bin/true", "/bin/sh", *glob.glob("/lib*/ld-linux*"), *glob.glob("/lib/*/ld-linux*")):
    refused(path, call((59, 221), path.encode(), words, None), call((322, 281), -100, path.encode(), words, None, 0))
# AT_EMPTY_PATH: first alone, then with AT_SYMLINK_NOFOLLOW, then with AT_EXECVE_CHECK.
for flags in (0x1000, 0x1100, 0x11000):
    refused("memory", call((322, 281), memory, b"", words, None, flags))
refused("descriptor", call((59, 221), f"/proc/self/fd/{memory}".encode(), words, None))
for path in paths:
    file = os.open(path, os.O_RDWR)
    with contextlib.suppress(OSError):
        mmap.mmap(file, 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)
        worked.append(("mapped as code", path))
    page = mmap.mmap(file, 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if call((10, 226), start, 4096, 5) != "EACCES":
        worked.append(("made code", path))
    with contextlib.suppress(OSError):
        ctypes.CDLL(path)
        worked.append(("loaded", path))
if platform.machine() == "x86_64":
    code = mmap.mmap(-1, 4096, prot=7)
    for number in (59, 101, 105, 165, 272, 317):  # the system calls execve, ptrace, setuid, mount, unshare, seccomp
        code.seek(0)
        code.write(b"\xb8" + number.to_bytes(4, "little") + b"\x31\xff\x31\xf6\x31\xd2\x0f\x05\xc3")
        found = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
        if found != -errno.EPERM:
            worked.append(("own machine code", number, found))


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
