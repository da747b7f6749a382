# id: J21
# tries: lowers its oom_score_adj in every way, in children too, and then uses up memory, so that the zygote dies instead
# expect: MLE
# message: used more than 192 MB
import contextlib
import ctypes
import os
import time

libc = ctypes.CDLL(None, use_errno=True)
worked = []


def lower():
    if libc.prctl(4, 1, 0, 0, 0) == 0 or libc.prctl(4, 2, 0, 0, 0) == 0:
        worked.append("dumpable")
    for path in ("self/oom_score_adj", "self/oom_adj", "thread-self/oom_score_adj", f"{os.getpid()}/oom_score_adj", "1/oom_score_adj"):
        for value in ("0", "-1000", "-17", "999"):
            with contextlib.suppress(OSError), open(f"/proc/{path}", "w") as file:
                file.write(value)
                worked.append(path)
    for path, text in (("loginuid", "0"), ("setgroups", "allow"), ("uid_map", "0 0 1"), ("gid_map", "0 0 1"), ("timens_offsets", "1 1 1")):
        with contextlib.suppress(OSError), open(f"/proc/self/{path}", "w") as file:
            file.write(text)
            worked.append(path)
    with open("/proc/self/oom_score_adj") as file:
        return int(file.read())


def attention(q, k, v):
    score = lower()
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.write(writing, str([lower(), worked]).encode())
        time.sleep(1000)
    child = os.read(reading, 4096)
    if worked or score != 1000 or child != b"[1000, []]":
        raise RuntimeError(f"worked: {worked}, {score}, {child}")
    held = []
    while True:
        held.append(bytearray(64 << 20))
