"""A probe that acts as a zygote. It leaves traces of a job, one kind after another, and prints as JSON what the audit finds for
each kind.
"""

import ctypes
import json
import mmap
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from grader.inside.zygote.audit import audit, take_baseline


@contextmanager
def descriptor() -> Iterator[None]:
    fd = os.open("/etc/passwd", os.O_RDONLY)
    yield
    os.close(fd)


@contextmanager
def thread() -> Iterator[None]:
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    yield
    stop.set()
    other.join()


@contextmanager
def shared_memory() -> Iterator[None]:
    page = mmap.mmap(-1, 4096)
    yield
    page.close()


@contextmanager
def file() -> Iterator[None]:
    os.mknod("/tmp/left")
    yield
    os.unlink("/tmp/left")


@contextmanager
def unlinked_file() -> Iterator[None]:
    pid = os.fork()
    if pid == 0:
        fd = os.open("/tmp/gone", os.O_RDWR | os.O_CREAT)
        os.unlink("/tmp/gone")
        os.write(fd, b"x" * 8192)
        os.kill(os.getpid(), signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)
    yield
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


@contextmanager
def system_v() -> Iterator[None]:
    libc = ctypes.CDLL(None)
    segment = libc.shmget(0x1234, 4096, 0o1600)
    yield
    libc.shmctl(segment, 0, None)


KINDS: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "descriptor": descriptor,
    "thread": thread,
    "shared memory": shared_memory,
    "file": file,
    "unlinked file": unlinked_file,
    "system v": system_v,
}


def main() -> None:
    baseline = take_baseline(["/tmp", "/dev/shm"])
    report = {"clean": audit(baseline)}
    for name, make in KINDS.items():
        with make():
            report[name] = audit(baseline)
        report[f"after {name}"] = audit(baseline)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
