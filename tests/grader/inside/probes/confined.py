"""A probe that forks a child into namespaces of its own and confines it, as a zygote does. It prints as JSON the properties of
the child, and what the child can see and do.

Arguments: «strict» or «lenient», the uid that a zygote of root takes, the workdir, the folder that becomes a file system of the
child's own («-»: the child gets no namespaces), and optionally the uid to which the probe changes before it acts as a zygote.
"""

import errno
import json
import os
import resource
import signal
import stat
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.inside.confine import kernel, namespaces
from grader.inside.confine.confine import Confinement, confine, prepare_zygote
from grader.inside.confine.namespaces import Surroundings, Tmpfs
from grader.inside.confine.seccomp import candidate_filter, install

LIMITS = ("NPROC", "NOFILE", "FSIZE", "CORE", "MEMLOCK", "MSGQUEUE", "SIGPENDING", "NICE", "RTPRIO", "DATA", "CPU")
SCORE = Path("/proc/self/oom_score_adj")


def attempt(work: Callable[[], Any]) -> str:
    """Run `work` in a separate process. Return «ok», or the name of the error or signal with which the process ended."""
    pid = os.fork()
    if pid:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return errno.errorcode[code] if code > 0 else ("ok" if code == 0 else signal.Signals(-code).name)
    try:
        work()
    except OSError as error:
        os._exit(error.errno or 255)
    except ValueError:  # setrlimit raises this for EPERM
        os._exit(errno.EPERM)
    os._exit(0)


def lower_the_score_when_dumpable() -> None:
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    SCORE.write_text("0")


def attempts(zygote: int) -> dict[str, str]:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    everything: dict[str, Callable[[], Any]] = {
        "setuid": lambda: os.setuid(0),
        "setresuid": lambda: os.setresuid(-1, 0, -1),
        "setgid": lambda: os.setgid(0),
        "setgroups": lambda: os.setgroups([0]),
        "kill the zygote": lambda: os.kill(zygote, 0),
        "read the zygote's memory": lambda: os.open(f"/proc/{zygote}/mem", os.O_RDONLY),
        "read the zygote's environment": lambda: Path(f"/proc/{zygote}/environ").read_text(),
        "raise a limit": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard + 1)),
        "lower the score": lambda: SCORE.write_text("0"),
        "become dumpable": lambda: kernel.prctl(kernel.PR_SET_DUMPABLE, 1),
        "lower the score when dumpable": lower_the_score_when_dumpable,
        "stay private": lambda: kernel.prctl(kernel.PR_SET_DUMPABLE, 0),
        "execute": lambda: os.execv("/bin/true", ["true"]),
        "namespace": lambda: kernel.syscall(272, 0x10000000),
        "clone a namespace": lambda: kernel.clone(kernel.NAMESPACES) or os._exit(0),
    }
    return {name: attempt(work) for name, work in everything.items()}


def facts() -> dict[str, Any]:
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
    here = os.stat(".")
    umask = os.umask(0o077)
    return {
        "status": {name: value.strip() for name, value in status.items()},
        "limits": {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in LIMITS},
        "descriptors": [int(fd) for fd in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{fd}")],
        "stdin": os.readlink("/proc/self/fd/0"),
        "environment": dict(os.environ),
        "cwd": os.getcwd(),
        "workdir": [here.st_uid, stat.S_IMODE(here.st_mode)],
        "umask": umask,
        "leads its session": os.getsid(0) == os.getpid(),
        "dumpable": kernel.prctl(3),
        "score": SCORE.read_text().strip(),
        "blocked signals": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "signals changed": [n.name for n in signal.Signals if signal.getsignal(n) not in (signal.SIG_DFL, None)],
    }


def child(zygote: int) -> dict[str, Any]:
    before = attempts(zygote)
    install(candidate_filter(loopback=False, execute=False))
    return {**facts(), "confined": before, "filtered": attempts(zygote)}


def main(mode: str, uid: str, workdir: str, own: str, become: str | None = None) -> None:
    if become is not None:
        os.setgroups([int(become), 7])
        os.setresgid(int(become), int(become), int(become))
        os.setresuid(int(become), int(become), int(become))
    prepare_zygote(int(uid))
    reading, writing = os.pipe()
    leak = os.open("/etc/passwd", os.O_RDONLY)
    os.environ["GRADUS_SECRET"] = "of the zygote"
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    wanted = Confinement(
        uid=os.getuid(),
        gid=os.getgid(),
        workdir=workdir,
        processes=40,
        file_bytes=1 << 20,
        data_bytes=1 << 31,
        cpu_s=20,
        keep_fds=(writing,),
        environment={"CUDA_VISIBLE_DEVICES": ""},
    )
    zygote = os.getpid()
    notes: list[str] = []

    def enter(keep: Sequence[int]) -> None:
        notes.extend(confine(replace(wanted, keep_fds=(writing, *keep)), strict=mode == "strict"))

    def run() -> None:
        report = {**child(zygote), "notes": notes, "kept": writing, "leaked": leak}
        os.write(writing, json.dumps(report).encode())

    try:
        surroundings = None if own == "-" else Surroundings((Tmpfs(own, 16, 100),))
        os.waitpid(namespaces.spawn(surroundings, enter, run), 0)
    except namespaces.NamespaceError as error:
        os.write(writing, json.dumps({"error": str(error)}).encode())
    os.close(writing)
    with os.fdopen(reading) as pipe:
        print(pipe.read())


if __name__ == "__main__":
    main(*sys.argv[1:])
