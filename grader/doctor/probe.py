"""Tests each part of a container's isolation. `gradus doctor` runs this program in a temporary container.

The host passes this file's text to `python3 -I -S -c`, so that the version of the program does not depend on the image. The
program may import only the standard library; only `namespaces` uses the grader's code in the image. It sends a line to the
host's socket, waits for one byte, runs every test, sends the results as a line of JSON, and ends when the host closes the
connection. isolation.py evaluates the results.
"""

import ctypes
import hashlib
import json
import mmap
import os
import resource
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

MACHINE = os.uname().machine
# For each system call: its number on x86_64, its number on aarch64, and the arguments with which the probe calls it. With these
# arguments, no call needs a privilege, so the errno EPERM can only come from the seccomp filter.
CALLS: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "keyctl": (250, 219, (0, -3, 0)),
    "shmget": (29, 194, (0, 4096, 0o600)),
    "unshare": (272, 97, (0x10000000,)),
    "ptrace": (101, 117, (0, 0, 0, 0)),
    "io_uring_setup": (425, 425, (1, 0)),
    "process_vm_readv": (310, 270, (os.getpid(), 0, 0, 0, 0, 0)),
    "clone3": (435, 435, (0, 0)),
}
FAMILIES = {"socket(AF_ALG)": 38, "socket(AF_VSOCK)": 40, "socket(AF_PACKET)": 17}
STEP = 4 << 20
CODE = "/opt/gradus"
PR_SET_PDEATHSIG = 1


def in_child(work: Callable[[], Any]) -> tuple[Any, int]:
    """Call `work` in a child process. Returns its result (None if `work` failed) and the child's wait status."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        with suppress(BaseException):
            os.write(writing, json.dumps(work()).encode())
            code = 0
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    return (json.loads(said) if said else None), os.waitpid(pid, 0)[1]


def status() -> dict[str, str]:
    """Return the fields of process 1's /proc/1/status that describe its privileges."""
    with open("/proc/1/status", encoding="ascii") as lines:
        fields = dict(line.rstrip("\n").split(":\t", 1) for line in lines if ":\t" in line)
    return {name: fields.get(name, "?") for name in ("Seccomp", "NoNewPrivs", "CapBnd", "CapEff", "CapPrm", "CapInh")}


def denied() -> dict[str, int]:
    """Try CALLS and sockets of FAMILIES, all of which the profile forbids. Returns the errno of each; 0 if it was allowed."""
    return in_child(_denied)[0] or {}


def _denied() -> dict[str, int]:
    libc = ctypes.CDLL(None, use_errno=True)
    found = {}
    for name, (x86, arm, arguments) in CALLS.items():
        ctypes.set_errno(0)
        number = arm if MACHINE == "aarch64" else x86
        worked = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(each) for each in arguments)) >= 0
        found[name] = 0 if worked else ctypes.get_errno()
    for name, family in FAMILIES.items():
        found[name] = _errno_of(lambda family=family: socket.socket(family, socket.SOCK_RAW).close())  # type: ignore[misc]
    return found


def _errno_of(act: Callable[[], object]) -> int:
    try:
        act()
    except OSError as error:
        return error.errno or -1
    return 0


def writable_places() -> list[str]:
    """Return the folders, outside /tmp and /dev/shm, whose file system is not mounted read-only."""
    return [place for place in ("/", "/etc", "/opt", "/usr", "/var", "/root") if _mounted_writable(place)]


def _mounted_writable(place: str) -> bool:
    return not os.statvfs(place).f_flag & os.ST_RDONLY


def interfaces() -> list[str]:
    """Return the names of the container's network interfaces."""
    with open("/proc/net/dev", encoding="ascii") as lines:
        return [line.split(":")[0].strip() for line in lines if ":" in line]


def memory(limit: int) -> dict[str, Any]:
    """Let a child allocate three times `limit` bytes. Returns the bytes that it got, and the signal that killed it (0: none)."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        with suppress(BaseException):
            with open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
                score.write("1000")
            held = []
            for taken in range(STEP, 3 * limit + STEP, STEP):
                held.append(mmap.mmap(-1, STEP, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE))
                os.write(writing, taken.to_bytes(8, "big"))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    ended = os.waitpid(pid, 0)[1]
    return {"bytes": int.from_bytes(said[-8:], "big"), "signal": os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else 0}


def processes(limit: int) -> int:
    """Fork children until fork fails, but at most `limit` + 8. Returns how many children were alive at the same time."""
    alive: list[int] = []
    with suppress(BlockingIOError):
        while len(alive) < limit + 8:
            pid = os.fork()
            if pid == 0:
                signal.pause()
                os._exit(0)
            alive.append(pid)
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return len(alive)


def tmpfs(place: str, size: int, inodes: int) -> dict[str, Any]:
    """Fill a tmpfs. Returns how many bytes and files fit, and the errno of mapping a file as executable (0 if that worked)."""
    folder = os.path.join(place, "probe")
    os.mkdir(folder)
    path = os.path.join(folder, "file")
    wrote = made = 0
    with open(path, "wb", buffering=0) as file:
        runs = _errno_of(lambda: _map_executable(file.fileno()))
        with suppress(OSError):
            while wrote <= size:
                wrote += file.write(bytes(1 << 18))
    os.unlink(path)
    with suppress(OSError):
        while made <= inodes:
            os.mknod(os.path.join(folder, str(made)), stat.S_IFREG | 0o600)
            made += 1
    for number in range(made):
        os.unlink(os.path.join(folder, str(number)))
    os.rmdir(folder)
    return {"bytes": wrote, "files": made, "execute": runs}


def _map_executable(fd: int) -> None:
    os.ftruncate(fd, mmap.PAGESIZE)
    copy = os.open(f"/proc/self/fd/{fd}", os.O_RDONLY)
    try:
        mmap.mmap(copy, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()
    finally:
        os.close(copy)


def collapse() -> int:
    """Ask for huge pages with MADV_COLLAPSE, as the zygote does before it forks. Returns the errno, or 0 if the call worked."""
    size = 2 << 20
    area = mmap.mmap(-1, 2 * size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    area.write(bytes(2 * size))
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    libc = ctypes.CDLL(None, use_errno=True)
    aligned = -(-start // size) * size
    return ctypes.get_errno() if libc.madvise(ctypes.c_void_p(aligned), ctypes.c_size_t(size), 25) else 0


def namespaces(hidden: str) -> dict[str, Any]:
    """Fork into new namespaces as the zygote does, and end them. Returns why that failed (empty: it worked) and the milliseconds
    that it took.
    """
    return in_child(lambda: _namespaces(hidden))[0] or {"problem": "the image has no code for it", "ms": 0.0}


def _namespaces(hidden: str) -> dict[str, Any]:
    sys.path.append(CODE)
    from grader.inside.confine.namespaces import Surroundings, Tmpfs, problem

    surroundings = Surroundings((Tmpfs("/tmp", 1, 16), Tmpfs("/dev/shm", 1, 16)), (hidden,))
    began = time.perf_counter()
    return {"problem": problem(surroundings), "ms": 1000 * (time.perf_counter() - began)}


def burn(seconds: float) -> float:
    """Loop until this process has used `seconds` of CPU time in total. Returns the CPU time that it has used."""
    while time.process_time() < seconds:
        pass
    return time.process_time()


def digest(root: str) -> str:
    """Return a digest of the folders in `root` whose code runs in containers, or an empty text if `root` does not exist.

    If the image is up to date, the digest in the container is equal to the digest on the host.
    """
    if not os.path.isdir(root):
        return ""
    found = hashlib.sha256()
    for folder in ("contract", "inside", "testing"):
        for place, folders, names in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(name for name in names if name.endswith(".py")):
                with open(os.path.join(place, name), "rb") as file:
                    found.update(name.encode() + b"\0" + hashlib.sha256(file.read()).digest())
    return found.hexdigest()


def measure(order: dict[str, Any]) -> dict[str, Any]:
    """Run every test. `order` contains the limits of the container. Returns the results as data for JSON."""
    return {
        "status": status(),
        "denied": denied(),
        "writable": writable_places(),
        "interfaces": interfaces(),
        "processes": processes(order["pids"]),
        "tmpfs": {place: tmpfs(place, *limits) for place, limits in order["tmpfs"].items()},
        "core": resource.getrlimit(resource.RLIMIT_CORE),
        "collapse": collapse(),
        "clock": time.time(),
        "code": digest(f"{CODE}/grader"),
        "namespaces": namespaces(os.path.dirname(order["socket"])),
        "memory": memory(order["memory"]),
        "cpu": burn(order["burn_s"]),
    }


def main() -> None:
    """Connect to the host, run the tests when the host sends a byte, and send the results."""
    order = json.loads(sys.argv[1])
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(order["socket"])
        connection.sendall(b"ready\n")
        if connection.recv(1):
            connection.sendall(json.dumps(measure(order)).encode() + b"\n")
            connection.recv(1)


if __name__ == "__main__":
    main()
