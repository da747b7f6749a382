"""Contains helpers that use the kernel directly, for processes with their file descriptors and memory, and for a folder on a
separate disk.
"""

import ctypes
import os
import resource
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PIDFD_GETFD = 438
_libc = ctypes.CDLL(None, use_errno=True)


def processes() -> list[int]:
    """Return the ids of all processes on this machine."""
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def children(pid: int) -> list[int]:
    """Return the ids of a process's children, from all of its threads. Return none if the process does not exist."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def command_line(pid: int) -> str:
    """Return the command line of a process, with spaces between its arguments. Return an empty text if the process does not
    exist.
    """
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def resident_mb(pid: int) -> float | None:
    """Return the resident anonymous memory of a process in MiB, or None if the process does not exist."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon:")) / 1024
    return None


def control_groups(pid: int) -> str:
    """Return the control groups of a process as text. If the process is in a container, the text contains the container's
    id.
    """
    with suppress(OSError):
        return Path(f"/proc/{pid}/cgroup").read_text()
    return ""


def connections(pid: int, path: Path) -> list[int]:
    """Return the file descriptors of the connections that a process has accepted on the Unix socket at `path`."""
    accepted = set()
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        parts = line.split()
        if parts[-1] == str(path) and parts[5] == "03":
            accepted.add(f"socket:[{parts[6]}]")
    found = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            if os.readlink(link) in accepted:
                found.append(int(link.name))
    return found


def cut(pid: int, descriptor: int) -> None:
    """Shut down a connection of another process in both directions. To reach the connection, duplicate its file descriptor into
    this process.
    """
    handle = os.pidfd_open(pid)
    try:
        ours = _libc.syscall(PIDFD_GETFD, handle, descriptor, 0)
        if ours < 0:
            raise OSError(ctypes.get_errno(), "pidfd_getfd")
        with socket.socket(fileno=ours) as connection:
            connection.shutdown(socket.SHUT_RDWR)
    finally:
        os.close(handle)


@contextmanager
def own_disk(folder: Path, size_mb: int) -> Iterator[bool]:
    """Mount a small tmpfs on a folder during the `with` block. Yield False if the user that runs the
    tests is not allowed to mount."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size_mb}m,mode=0700", "gradus-soak", str(folder)]
    mounted = subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=False)


@contextmanager
def no_room(folder: Path, mounted: bool, pid: int) -> Iterator[None]:
    """Prevent writes to a folder during the `with` block. If a separate disk is mounted on the folder, fill that disk.
    Otherwise forbid the process `pid` to make files larger.
    """
    if mounted:
        filler = folder / "filler"
        try:
            _fill(filler)
            yield
        finally:
            filler.unlink(missing_ok=True)
        return
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 20))
    # Less than a MiB is free now. Fill the rest page by page.
    with path.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
