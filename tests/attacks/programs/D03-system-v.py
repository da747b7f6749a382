# id: D3
# tries: creates System V memory, semaphores and queues, a POSIX queue, kernel keys and an AIO context
# expect: AC
import ctypes
import math

libc = ctypes.CDLL(None, use_errno=True)
worked = []
CALLS = {"shmget": (29, 0, 4096, 0o1666), "semget": (64, 0, 1, 0o1666), "msgget": (68, 0, 0o1666)}
CALLS |= {"mq_open": (240, b"/left", 0o102, 0o666, None), "add_key": (248, b"user", b"left", b"x", 1, -3)}
CALLS |= {"keyctl": (250, 0, -3, 1), "request_key": (249, b"user", b"left", None, 0), "io_setup": (206, 8, None)}
for name, (number, *arguments) in CALLS.items():
    if libc.syscall(number, *arguments) >= 0:
        worked.append(name)


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
