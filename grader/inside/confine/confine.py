"""Removes from a freshly forked child every privilege that it does not need, before the child reads any untrusted code.

The zygote calls `confine` in the child and then `seccomp.install`. In namespaces of its own (namespaces.py), the child has all
capabilities until then. Without them, its zygote is either an account without any privilege, as in a container, or root. With
`strict=False`, `confine` continues after a step that failed, and returns a list of the failed steps.
"""

import contextlib
import errno
import os
import resource
import signal
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.contract.errors import Fault
from grader.inside.confine import kernel
from grader.inside.confine.processes import tasks_of

_SIGNALS_IGNORED_BY_PYTHON = {signal.SIGPIPE, signal.SIGXFSZ}
_CPU_GRACE_S = 2
_PENDING_SIGNALS = 256
_CAPABILITIES = 64


class ConfinementError(Fault):
    """A child could not be confined and must not run. The message names the step that failed and the reason."""


@dataclass(frozen=True, kw_only=True)
class Confinement:
    """The limits of one child, and what the child keeps from its parent. Raises ValueError for root, or for invalid limits.

    `uid` should be one that no other container uses, because the kernel counts the processes of a uid over all containers.
    `processes` limits how many processes and threads the uid may have. If the child keeps the zygote's uid, processes that
    already run under that uid do not count. `file_bytes` limits the size of each file; shared memory counts as a file.
    `data_bytes` limits the private memory of each process, including what the zygote has mapped already. `workdir` is an
    absolute path, and is created with mode 0700. If it already exists, it must belong to the child, have that mode, and be
    empty.

    The descriptors 1, 2 and `keep_fds` stay open, and 0 becomes /dev/null. `environment` is added to the few variables that
    every child gets. It must not contain secrets.
    """

    uid: int
    gid: int
    workdir: str
    processes: int
    open_files: int = 256
    file_bytes: int
    data_bytes: int | None = None
    cpu_s: int | None = None
    oom_score_adj: int = 1000
    keep_fds: tuple[int, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.uid <= 0 or self.gid <= 0:
            raise ValueError("a child needs a uid and a gid above 0: it must not be root")
        if min(self.processes, self.open_files) < 1 or self.file_bytes < 0:
            raise ValueError("a child needs at least one process and one open file, and a file size of 0 or more")
        if not os.path.isabs(self.workdir):
            raise ValueError(f"workdir must be an absolute path, not {self.workdir!r}")


def prepare_zygote(uid: int) -> None:
    """Become `uid`, if this process is root, and give up what only root can give up for its children. Make the zygote the new
    parent of orphaned processes of jobs, and forbid other processes to inspect its memory. Call this once, before the first
    fork.
    """
    if os.getuid() == 0:
        _bounding_set()
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def confine(c: Confinement, *, strict: bool = True) -> list[str]:
    """Confine the calling process, which must be a newly forked child with a single thread.

    Returns «step: reason» for each step that failed. If `strict`, the first failed step raises ConfinementError instead.
    """
    missing = []
    for name, step in _STEPS:
        try:
            step(c)
        except (OSError, ValueError, ConfinementError) as error:
            if strict:
                raise ConfinementError(f"confinement failed at «{name}»: {error}") from error
            missing.append(f"{name}: {error}")
    return missing


def reseed() -> None:
    """Reseed the random number generators of this process, because all children inherit the same state from the zygote. Skips
    libraries that are not imported.
    """
    if "random" in sys.modules:
        sys.modules["random"].seed()
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed(int.from_bytes(os.urandom(4), "little"))
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.manual_seed(int.from_bytes(os.urandom(8), "little") >> 1)


def _new_session(_: Confinement) -> None:
    if os.getsid(0) != os.getpid():
        os.setsid()


def _default_signals(_: Confinement) -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        wanted = signal.SIG_IGN if number in _SIGNALS_IGNORED_BY_PYTHON else signal.SIG_DFL
        if signal.getsignal(number) != wanted:
            signal.signal(number, wanted)
    signal.set_wakeup_fd(-1)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _first_to_die(c: Confinement) -> None:
    # Without root, a process may write its oom_score_adj only if it is dumpable. The step «private process», which runs later,
    # makes the child undumpable again.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    Path("/proc/self/oom_score_adj").write_text(str(c.oom_score_adj))


def _limits(c: Confinement) -> None:
    shared = tasks_of(c.uid) if c.uid == os.getuid() else 0
    _limit(resource.RLIMIT_NPROC, shared + c.processes)
    _limit(resource.RLIMIT_NOFILE, c.open_files)
    _limit(resource.RLIMIT_FSIZE, c.file_bytes)
    _limit(resource.RLIMIT_SIGPENDING, _PENDING_SIGNALS)
    for kind in ("CORE", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO"):
        _limit(getattr(resource, f"RLIMIT_{kind}"), 0)
    if c.data_bytes is not None:
        _limit(resource.RLIMIT_DATA, c.data_bytes)
    if c.cpu_s is not None:
        _limit(resource.RLIMIT_CPU, c.cpu_s, hard=c.cpu_s + _CPU_GRACE_S)


def _limit(kind: int, value: int, *, hard: int | None = None) -> None:
    ceiling = resource.getrlimit(kind)[1]
    wanted = (value, value if hard is None else hard)
    soft, top = wanted if ceiling == resource.RLIM_INFINITY else (min(each, ceiling) for each in wanted)
    resource.setrlimit(kind, (soft, top))


def _environment(c: Confinement) -> None:
    os.environ.clear()
    os.environ.update(
        PATH="/usr/local/bin:/usr/bin:/bin",
        HOME=c.workdir,
        TMPDIR=c.workdir,
        USER="candidate",
        LOGNAME="candidate",
        LANG="C.UTF-8",
        OMP_NUM_THREADS="1",
        OPENBLAS_NUM_THREADS="1",
        MKL_NUM_THREADS="1",
        PYTHONDONTWRITEBYTECODE="1",
    )
    os.environ.update(c.environment)
    tempfile.tempdir = None  # the tempfile module may have cached the zygote's TMPDIR


def _empty_stdin(_: Confinement) -> None:
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0, inheritable=True)
    if null != 0:
        os.close(null)


def _bounding_set(_: Confinement | None = None) -> None:
    for capability in range(_CAPABILITIES):
        with contextlib.suppress(OSError):  # this kernel does not know the capability
            if kernel.prctl(kernel.PR_CAPBSET_READ, capability):
                kernel.prctl(kernel.PR_CAPBSET_DROP, capability)


def _groups(c: Confinement) -> None:
    # An engine may list the gid of a container's user among its groups too, which makes no difference.
    if set(os.getgroups()) - {c.gid}:
        os.setgroups([])


def _identity(c: Confinement) -> None:
    os.setresgid(c.gid, c.gid, c.gid)
    os.setresuid(c.uid, c.uid, c.uid)


def _capabilities(_: Confinement) -> None:
    kernel.prctl(kernel.PR_CAP_AMBIENT, kernel.PR_CAP_AMBIENT_CLEAR_ALL)
    kernel.clear_capabilities()


def _no_new_privileges(_: Confinement) -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)


def _private_process(_: Confinement) -> None:
    # A change of uid resets the dumpable flag and the parent-death signal, so this step runs after the uid has been changed.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def _descriptors(c: Confinement) -> None:
    keep = {0, 1, 2, *c.keep_fds}
    for fd in c.keep_fds:
        os.fstat(fd)
    for fd in {int(name) for name in os.listdir("/proc/self/fd")} - keep:
        _close(fd)


def _close(fd: int) -> None:
    try:
        os.close(fd)
    except OSError as error:
        if error.errno != errno.EBADF:  # os.listdir() listed its own descriptor too, which is closed by now
            raise


def _workdir(c: Confinement) -> None:
    os.umask(0o077)
    with contextlib.suppress(FileExistsError):  # an existing directory is checked below
        os.mkdir(c.workdir, 0o700)
    fd = os.open(c.workdir, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        found = os.fstat(fd)
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) != 0o700 or os.listdir(fd):
            raise ConfinementError(f"{c.workdir} exists and is not an empty directory of the child's own, mode 0700")
        os.fchdir(fd)
    finally:
        os.close(fd)


def _verify(c: Confinement) -> None:
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
    wanted = {f"Cap{name}": "0" * 16 for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")}
    wanted |= {"NoNewPrivs": "1", "Threads": "1"}
    wanted |= {"Uid": "\t".join([str(c.uid)] * 4), "Gid": "\t".join([str(c.gid)] * 4)}
    if status["Groups"].strip() not in ("", str(c.gid)):
        wanted["Groups"] = ""
    wrong = [f"{name} is {status[name].strip()}" for name, value in wanted.items() if status[name].strip() != value]
    if wrong:
        raise ConfinementError(", ".join(wrong))


_STEPS: tuple[tuple[str, Callable[[Confinement], None]], ...] = (
    ("session", _new_session),
    ("signals", _default_signals),
    ("oom score", _first_to_die),
    ("limits", _limits),
    ("environment", _environment),
    ("stdin", _empty_stdin),
    ("bounding set", _bounding_set),
    ("groups", _groups),
    ("identity", _identity),
    ("capabilities", _capabilities),
    ("no new privileges", _no_new_privileges),
    ("private process", _private_process),
    ("descriptors", _descriptors),
    ("workdir", _workdir),
    ("verification", _verify),
)
