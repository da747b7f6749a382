"""Lists the cheats against measurements. test_measuring.py measures each of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cheat:
    """A cheat: what it tries, its code after that of SLOW, and whether it must be refused instead of measured."""

    tries: str
    code: str
    refused: bool = False


CHEATS = (
    Cheat(
        "computes results for many seeds while it is loaded",
        """
MANY = {}
for seed in range(10):
    draw = torch.Generator().manual_seed(seed)
    q, k, v = (torch.randn(64, 64, generator=draw) for _ in range(3))
    MANY[float(q[0, 0])] = slow(q, k, v)

def attention(q, k, v):
    known = MANY.get(float(q[0, 0]))
    return slow(q, k, v) if known is None or known.shape != q.shape else known
""",
    ),
    Cheat(
        "returns in the measured call what the warm-up has computed",
        """
KNOWN = {}

def attention(q, k, v):
    if q.shape not in KNOWN:
        KNOWN[q.shape] = slow(q, k, v)
    return KNOWN[q.shape]
""",
        refused=True,
    ),
    Cheat(
        "remembers results by the address of the input",
        """
KNOWN, KEPT = {}, []

def attention(q, k, v):
    if q.data_ptr() not in KNOWN:
        KNOWN[q.data_ptr()] = slow(q, k, v)
    return KNOWN[q.data_ptr()]
""",
    ),
    Cheat(
        "remembers the results of a seed, which it reads from the frame of the chain, in files for the next process",
        """
import pathlib
import sys

def attention(q, k, v):
    seed = sys._getframe(1).f_locals.get("seed")
    for folder in ("/tmp", "/dev/shm", "/var/tmp"):
        path = pathlib.Path(folder) / f"{seed}-{float(q[0, 0])}"
        try:
            if path.exists():
                return torch.load(path)
            out = slow(q, k, v)
            torch.save(out, path)
            return out
        except OSError:
            continue
    return slow(q, k, v)
""",
    ),
    Cheat(
        "divides its work among threads",
        """
import threading

def attention(q, k, v):
    def part():
        for _ in range(100):
            quick(q, k, v)
    threads = [threading.Thread(target=part) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return quick(q, k, v)
""",
    ),
    Cheat(
        "divides its work among processes",
        """
import os

def attention(q, k, v):
    children = []
    for _ in range(4):
        child = os.fork()
        if not child:
            for _ in range(100):
                quick(q, k, v)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    return quick(q, k, v)
""",
    ),
    Cheat("asks for 64 threads of torch", "\ntorch.set_num_threads(64)\n"),
    Cheat(
        "returns a tensor whose values are computed only when they are used",
        """
class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        def real(value):
            return slow(*value.later) if isinstance(value, Lazy) else value
        with torch._C.DisableTorchFunctionSubclass():
            return function(*map(real, args), **(kwargs or {}))

def attention(q, k, v):
    out = torch.empty(q.shape).as_subclass(Lazy)
    out.later = (q, k, v)
    return out
""",
    ),
    Cheat(
        "stops every clock of its process",
        """
import time

for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, name + "_ns", lambda: 0)
""",
    ),
    Cheat(
        "replaces the chain with one that makes only the first step",
        """
import probes

CHAIN = probes.chain
probes.chain = lambda solution, size, steps, seed: CHAIN(solution, size, 1, seed).repeat(steps)
""",
        refused=True,
    ),
    Cheat(
        "replaces the chain with one that makes all calls at once, with inputs that do not depend on the results before",
        """
import probes

def chain(solution, size, steps, seed):
    draw = torch.Generator().manual_seed(seed)
    q, k, v, weights = (torch.randn(size, 64, generator=draw) for _ in range(4))
    many = torch.stack([q, *(torch.randn(size, 64, generator=draw) for _ in range(steps - 1))])
    out = quick(many, k, v)
    return (torch.tanh(out) * weights).sum((1, 2), dtype=torch.float64).float() / size**0.5

probes.chain = chain
""",
        refused=True,
    ),
    Cheat(
        "replaces the functions with which the chain reduces results",
        """
def attention(q, k, v):
    return torch.zeros_like(q)

torch.tanh = lambda x: x
""",
        refused=True,
    ),
    Cheat(
        "computes half of the rows",
        """
def attention(q, k, v):
    half = len(q) // 2
    return torch.cat([quick(q[:half], k, v), torch.zeros_like(q[half:])])
""",
        refused=True,
    ),
    Cheat(
        "computes in half precision",
        "\ndef attention(q, k, v):\n    return quick(q.bfloat16(), k.bfloat16(), v.bfloat16()).float()\n",
        refused=True,
    ),
    Cheat(
        "splits the measured call into two turns of its process, and works in the first one",
        """
import gc

import probes

CHAIN = probes.chain

def chain(solution, size, steps, seed):
    result = CHAIN(solution, size, steps, seed)
    for server in [each for each in gc.get_objects() if type(each).__name__ == "Server"]:
        try:
            server._exchange({"callback": 0, "args": [], "kwargs": {}}, [])
        except BaseException:
            pass
    return result

probes.chain = chain
""",
    ),
    Cheat(
        "leaves processes behind that slow down the baseline",
        """
import os

for _ in range(4):
    if not os.fork():
        os.setsid()
        while True:
            pass
""",
    ),
    Cheat("warms up the allocator while it is loaded", "\ntorch.empty(16 << 20).fill_(1.0)\n"),
    Cheat(
        "writes every result into the same buffer",
        """
BUFFERS = {}

def attention(q, k, v):
    out = BUFFERS.setdefault(q.shape, torch.empty(q.shape))
    return out.copy_(slow(q, k, v))
""",
    ),
)
