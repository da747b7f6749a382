# id: C5
# tries: reads command lines, states, limits and names of all processes, and searches them for tests, seeds and tokens
# expect: AC
import contextlib
import math
import os
import re

FILES = "cmdline stat status wchan limits oom_score comm cgroup sched schedstat statm mountinfo syscall auxv loginuid".split()
WORDS = re.compile("test_|tests|hostile|attention|seed|token|job.?id|reference", re.I)
found = []
for pid in [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]:
    for name in FILES:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/{name}", "rb") as file:
            text = file.read(1 << 16).decode(errors="replace")
            found += [f"{pid}/{name}: {hit}" for hit in WORDS.findall(text)]


def attention(q, k, v):
    if found:
        raise RuntimeError(f"found {found[:20]}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
