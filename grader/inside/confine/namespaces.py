"""Forks a process into namespaces that are new: user, pid, mount, network, IPC, UTS and cgroup namespaces.

The process with pid 1 of the new pid namespace only reaps orphans. If it is killed, the kernel ends every process of the
namespace and removes everything that they could leave behind: files, shared memory, semaphores, sockets, System V objects.

No capability is needed. An unprivileged process may create a user namespace, and has all capabilities inside it, which it uses
to create and arrange the other namespaces and then gives up (confine.py). See user_namespaces(7) and pid_namespaces(7).
"""

import fcntl
import os
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from grader.contract.errors import Fault
from grader.inside.confine import kernel

_READY = "ready"
UNMADE = "no namespaces can be made"
_TMPFS = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1
# Process 1 ends with this exit status plus the number of the signal that killed its child, as a shell does.
SIGNALLED = 128
# Once its child has ended, process 1 has this name, followed by the child's wait status.
_ENDED = "ended "


class NamespaceError(Fault):
    """The namespaces could not be made. The message says which step failed, and why."""


@dataclass(frozen=True)
class Tmpfs:
    """An empty file system of its own for a process: where it is mounted, its size in MiB, and how many files it may hold."""

    path: str
    mb: int
    inodes: int

    @classmethod
    def parse(cls, text: str) -> "Tmpfs":
        """Read «path:mb:inodes». Raises ValueError."""
        path, mb, inodes = text.rsplit(":", 2)
        return cls(path, int(mb), int(inodes))

    def __str__(self) -> str:
        return f"{self.path}:{self.mb}:{self.inodes}"


@dataclass(frozen=True)
class Surroundings:
    """What a process in new namespaces sees: its own file systems at `writable`, nothing at `hidden`, and everything else
    read-only.
    """

    writable: tuple[Tmpfs, ...]
    hidden: tuple[str, ...] = ()


def spawn(surroundings: Surroundings | None, confine: Callable[[Sequence[int]], None], run: Callable[[], None]) -> int:
    """Run `run` in new namespaces. Returns the pid, in the caller's pid namespace, of their process 1.

    A child of process 1 calls `confine`, which must give up all privileges, with the descriptors that must stay open. It then
    calls `run` and exits. Process 1 exits when no other process is left, with the child's exit status, or SIGNALLED plus the
    number of the signal that killed it. Before that, `child_status` tells how the child ended. Without `surroundings`, the
    child stays in the caller's namespaces, and its own pid is returned.

    Raises NamespaceError if the kernel or its settings refuse a step, or `confine` fails. The caller must have a single thread.
    """
    report, tell = os.pipe()
    owner = os.getuid(), os.getgid()
    try:
        pid = kernel.clone(kernel.NAMESPACES) if surroundings else os.fork()
    except OSError as error:
        os.close(report)
        os.close(tell)
        raise NamespaceError(f"{UNMADE}: {os.strerror(error.errno or 0)}") from error
    if pid == 0:
        os.close(report)
        _start(owner, surroundings, confine, run, tell)
    os.close(tell)
    with open(report, encoding="utf-8", errors="replace") as lines:
        said = lines.read().strip()
    if said == _READY:
        return pid
    end(pid)
    raise NamespaceError(said or "the process ended while its namespaces were made")


def end(pid: int) -> None:
    """Kill process 1 of namespaces and wait until every process in them has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def child_status(pid: int) -> int | None:
    """Return the wait status of the child of process 1 whose pid is `pid`, or None if the child still runs.

    Also returns None if `pid` has ended, or is not process 1 of namespaces that are within the caller's.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return None
    fields = {name: value.split() for name, _, value in (line.partition(":\t") for line in lines)}
    # Any process can choose its name, but only process 1 of other namespaces has a second pid, which is 1.
    if fields["NSpid"][1:] != ["1"] or fields["Name"][:1] != [_ENDED.strip()]:
        return None
    return int(fields["Name"][1])


def problem(surroundings: Surroundings) -> str:
    """Try whether `spawn` works here. Returns why it does not, or an empty string."""
    try:
        end(spawn(surroundings, lambda _: None, lambda: None))
    except NamespaceError as error:
        return str(error)
    return ""


def _start(
    owner: tuple[int, int],
    surroundings: Surroundings | None,
    confine: Callable[[Sequence[int]], None],
    run: Callable[[], None],
    tell: int,
) -> NoReturn:
    """In the new process: arrange its namespaces, if it has any, and run the child. Tells the caller READY, or what failed."""
    try:
        if surroundings:
            # The child arranges the namespaces, because every page that process 1 writes to makes its fork and its end slower.
            if child := os.fork():
                _reap_all(child)
            _enter(owner, surroundings)
        confine([tell])
        os.write(tell, _READY.encode())
        os.close(tell)
        become(run)
    except BaseException as error:
        said = str((isinstance(error, OSError) and error.strerror) or error)
        with suppress(OSError):
            os.write(tell, said.replace("\n", " ").encode()[:4000])
        os._exit(1)


def _enter(owner: tuple[int, int], surroundings: Surroundings) -> None:
    """Map the user ids, make everything read-only, mount the process's own file systems, and switch the loopback interface on."""
    # The files below /proc/self belong to root while a process is not dumpable, so it could not write its own uid map.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    # Only the caller's own uid and gid exist in the namespaces, under the same numbers.
    for name, text in (("setgroups", "deny"), ("uid_map", "{0} {0} 1"), ("gid_map", "{1} {1} 1")):
        Path(f"/proc/self/{name}").write_text(text.format(*owner))
    kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.make_read_only("/")
    for own in surroundings.writable:
        kernel.mount("tmpfs", own.path, "tmpfs", _TMPFS, f"size={own.mb}m,nr_inodes={own.inodes},mode=1777")
    for path in surroundings.hidden:
        kernel.mount("tmpfs", path, "tmpfs", _TMPFS | kernel.MS_RDONLY, "size=4k,nr_inodes=1,mode=0")
    # With `subset=pid`, /proc holds only the processes of the namespace, and nothing about the machine.
    kernel.mount("proc", "/proc", "proc", _TMPFS, "subset=pid")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | _IFF_UP))


def _reap_all(child: int) -> NoReturn:
    """As process 1, reap every process that ends, and exit when none is left.

    An answer may fork and let another process go on, so process 1 must outlive `child`. Otherwise, which of the two the node
    hears of first would depend on the machine's load.

    The child is not process 1 itself, because the kernel drops most signals that process 1 sends to itself: `os.abort()` would
    not end it. Process 1 keeps nothing that the child could use: no descriptor, no capability, and no readable memory.
    """
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    kernel.clear_capabilities()
    # Without a handler, the kernel drops every signal that the child sends to process 1. Python has one for this signal.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.closerange(0, os.sysconf("SC_OPEN_MAX"))
    code = 0
    with suppress(ChildProcessError):
        while True:
            pid, status = os.wait()
            if pid == child:
                kernel.set_name(f"{_ENDED}{status}")
                code = SIGNALLED + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)
    os._exit(code)


def become(run: Callable[[], None]) -> NoReturn:
    """Call `run` in this newly forked process and exit, with status 1 if it raises an error."""
    code = 1
    try:
        run()
        code = 0
    except BaseException:
        with suppress(BaseException):
            traceback.print_exc(file=sys.stderr)
    finally:
        os._exit(code)
