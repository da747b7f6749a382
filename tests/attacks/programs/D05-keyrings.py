# id: D5
# tries: puts keys into every kernel keyring that it can name, and looks for keys of other processes
# expect: AC
import ctypes
import math
import platform

libc = ctypes.CDLL(None, use_errno=True)
ADD, REQUEST, CONTROL = (248, 249, 250) if platform.machine() == "x86_64" else (217, 218, 219)
RINGS = {"thread": -1, "process": -2, "session": -3, "user": -4, "user session": -5, "group": -6}
worked = []
for name, ring in RINGS.items():
    if libc.syscall(ADD, b"user", b"left", b"for the next", 12, ring) >= 0:
        worked.append(f"a key in the {name} keyring")
    for what, order in {"find": 0, "describe": 6, "read": 11, "link": 8, "search": 10}.items():
        if libc.syscall(CONTROL, order, ring, b"user", b"left", 0) >= 0:
            worked.append(f"{what} {name}")
if libc.syscall(CONTROL, 1, None) >= 0:
    worked.append("a session keyring of its own")
if libc.syscall(REQUEST, b"user", b"left", None, -3) >= 0:
    worked.append("a key of somebody's")


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
