# id: H7
# tries: sets every kind of uid, gid, capability and privilege flag with raw system calls
# expect: AC
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


groups = (ctypes.c_uint * 1)(0)
everything = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
version3, version1 = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 2)(0x19980330, 0)
ANSWERS = {
    "setuid": call((105, 146), 0),
    "setgid": call((106, 144), 0),
    "setreuid": call((113, 145), 0, 0),
    "setregid": call((114, 143), 0, 0),
    "setgroups": call((116, 159), 1, groups),
    "setresuid": call((117, 147), 0, 0, 0),
    "setresuid to its own": call((117, 147), -1, -1, -1),
    "setresgid": call((119, 149), 0, 0, 0),
    "setfsuid": call((122, 151), 0),
    "setfsgid": call((123, 152), 0),
    "capset": call((126, 91), version3, everything),
    "capset of an old kind": call((126, 91), version1, everything),
    "ambient": call((157, 167), 47, 2, 21, 0, 0),
    "securebits": call((157, 167), 28, 0, 0, 0, 0),
    "keep capabilities": call((157, 167), 8, 1, 0, 0, 0),
    "dumpable": call((157, 167), 4, 1, 0, 0, 0),
    "tracer": call((157, 167), 0x59616D61, -1, 0, 0, 0),
}
worked = [name for name, found in ANSWERS.items() if found != "EPERM"]
worked += ["no_new_privs"] if call((157, 167), 39, 0, 0, 0, 0) != 1 else []
worked += [ids for ids in (os.getresuid(), os.getresgid()) if len(set(ids)) != 1 or 0 in ids]
worked += [os.getgroups()] if set(os.getgroups()) - {os.getgid()} else []
for folder in ("self", *(f"self/task/{task}" for task in os.listdir("/proc/self/task"))):
    with open(f"/proc/{folder}/status") as file:
        status = dict(line.split(":\t", 1) for line in file)
    worked += [name for name in status if name.startswith("Cap") and int(status[name], 16)]
    worked += [name for name in ("NoNewPrivs",) if status[name].strip() != "1"]
    worked += ["Seccomp"] if status["Seccomp"].strip() != "2" or int(status.get("Seccomp_filters", 1)) < 1 else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
