# id: N32
# tries: lowers the oom_score_adj of itself, its children and its threads, and raises that of process 1
# expect: AC
import contextlib
import math
import os
import threading

worked = []


def lower(where):
    for pid in ("self", "thread-self", str(os.getpid()), "1"):
        for name, values in {"oom_score_adj": ("0", "-1000", "1000"), "oom_adj": ("0", "-17", "15")}.items():
            for value in values:
                with contextlib.suppress(OSError), open(f"/proc/{pid}/{name}", "w") as file:
                    file.write(value)
                    file.flush()
                    worked.append((where, pid, name, value))


lower("itself")
thread = threading.Thread(target=lower, args=("a thread",))
thread.start()
thread.join()
if (pid := os.fork()) == 0:
    lower("a child")
    os._exit(bool(worked))
worked += ["a child"] if os.waitpid(pid, 0)[1] else []
with open("/proc/self/oom_score_adj") as file:
    worked += [text] if (text := file.read().strip()) != "1000" else []


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
