"""A probe that acts as a zygote. It forks a first child into namespaces of its own, which leaves behind everything that it can,
ends it, and forks a second one, which reports as JSON what it finds. Both are confined, but have no second system call filter.

Arguments: the uid that a zygote of root takes, and the folder that becomes a file system of each child's own.
"""

import ctypes
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from grader.inside.confine import namespaces
from grader.inside.confine.confine import Confinement, confine, prepare_zygote
from grader.inside.confine.namespaces import Surroundings, Tmpfs
from grader.inside.confine.processes import all_running

SHM, IPC_CREAT, KEY = "/dev/shm", 0o1000, 0x6772
PROCESSES, DEPTH, WIDTH = 60, 300, 500
libc = ctypes.CDLL(None, use_errno=True)


def tree(place: str) -> None:
    """Make a deep tree and a wide folder, unreadable and full of links."""
    for number in range(WIDTH):
        os.symlink("/etc", f"{place}/link-{number}")
    here = os.open(place, os.O_RDONLY)
    for _ in range(DEPTH):
        os.mkdir("deep", dir_fd=here)
        below = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    os.chmod(f"{place}/deep", 0)


def bomb() -> None:
    """Fork processes that leave the session, ignore signals and fork again."""
    with suppress(OSError):
        for _ in range(PROCESSES):
            if os.fork() == 0:
                os.setsid()
                for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                    signal.signal(number, signal.SIG_IGN)
                while True:
                    with suppress(OSError):
                        if os.fork() == 0:
                            time.sleep(3600)
                    time.sleep(0.01)


def plant(own: str, ready: int) -> None:
    tree(own)
    with open(f"{SHM}/planted", "wb") as file:
        file.write(bytes(1 << 20))
    with suppress(OSError):
        socket.sethostname("planted")
    for call in (libc.shmget, libc.msgget):
        call(KEY, *((4096,) if call is libc.shmget else ()), IPC_CREAT | 0o666)
    libc.semget(KEY, 1, IPC_CREAT | 0o666)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0planted")
    listener.listen()
    bomb()
    os.write(ready, json.dumps(look(own)).encode())
    time.sleep(3600)


def connects() -> bool:
    with socket.socket(socket.AF_UNIX) as sock, suppress(OSError):
        sock.connect("\0planted")
        return True
    return False


def look(own: str) -> dict[str, Any]:
    """Return what is there of each kind."""
    return {
        "files": len(os.listdir(own)) - 1,  # without the workdir
        "shared memory": os.listdir(SHM),
        "system v": [libc.shmget(KEY, 4096, 0) >= 0, libc.msgget(KEY, 0) >= 0, libc.semget(KEY, 1, 0) >= 0],
        "socket": connects(),
        "processes": sum(1 for _ in all_running()),
        "host name": socket.gethostname() == "planted",
    }


def report(own: str, pipe: int) -> None:
    os.write(pipe, json.dumps(look(own)).encode())


def born(run: Callable[[], None], own: str, pipe: int) -> int:
    def enter(keep: Sequence[int]) -> None:
        limits = Confinement(
            uid=os.getuid(),
            gid=os.getgid(),
            workdir=f"{own}/job",
            processes=200,
            file_bytes=1 << 28,
            keep_fds=(pipe, *keep),
        )
        confine(limits, strict=os.getuid() >= 70000)

    return namespaces.spawn(Surroundings((Tmpfs(own, 64, 4096), Tmpfs(SHM, 64, 100))), enter, run)


def main(uid: str, own: str) -> None:
    prepare_zygote(int(uid))
    found = []
    for act in (plant, report):
        reading, writing = os.pipe()
        pid = born(partial(act, own, writing), own, writing)
        os.close(writing)
        found.append(json.loads(os.read(reading, 1 << 16)))
        began = time.monotonic()
        namespaces.end(pid)
        os.close(reading)
        found[-1]["ended in s"] = time.monotonic() - began
    alive = [each.pid for each in all_running() if os.getuid() in each.uids and each.parent == os.getpid()]
    print(json.dumps({"first": found[0], "second": found[1], "alive": alive, "here": os.listdir(own)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
