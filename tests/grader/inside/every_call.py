"""Provides a program that makes every system call by number, and lists the results that these calls must have in a cell.

The program `PROBE` needs only the standard library, so it runs wherever Python does. It makes the calls in forked processes and
with meaningless arguments, so that a call that is allowed does no harm. It prints, as JSON, which numbers had which result.
"""

import json
import platform
from collections.abc import Collection
from typing import Any

from grader.inside.confine.syscalls import CONDITIONAL, EVERYONE, NEWEST, ZYGOTE, Numbers

TOP = NEWEST + 45
FAR = (600, 1024, 4096, 65_535)
X32 = (0, 39, 59, 101, 512, 520, 547, 1000)
# uretprobe and uprobe of x86_64. Since version 6.13, the kernel lets them pass every filter, because they are meant only for
# code that the kernel itself inserts. If other code makes them, they end in SIGILL or an error. Older kernels do not know them.
PAST_EVERY_FILTER = frozenset({335, 336} if platform.machine() == "x86_64" else ())
# Whatever their arguments, these calls can end, fork or stop the process that makes them. So each of them is made in a separate
# process.
_ALONE = "exit exit_group fork vfork clone clone3 pause rt_sigreturn rt_sigsuspend close_range brk".split()


def number_of(numbers: Numbers) -> int | None:
    """Return the number that a call has on this machine, or None if it has none."""
    return numbers.x86_64 if platform.machine() == "x86_64" else numbers.aarch64


def _numbers(table: dict[str, Numbers], names: Collection[str] | None = None) -> set[int]:
    rows = (number_of(numbers) for name, numbers in table.items() if names is None or name in names)
    return {number for number in rows if number is not None}


PROBE = (
    f"""
TOP, FAR, X32, ALONE = {TOP}, {FAR}, {X32}, {_numbers(EVERYONE | CONDITIONAL, _ALONE) | PAST_EVERY_FILTER}
"""
    + r"""
import ctypes, errno, json, mmap, os, platform, signal

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
NOTHING = [ctypes.c_long(-1)] * 6


def named(result):
    return errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "ok"


def call(number):
    ctypes.set_errno(0)
    return named(libc.syscall(ctypes.c_long(number), *NOTHING))


def alone(act):
    # What `act` told in a process of its own, or the signal that ended that.
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 20.0 if act is every else 0.3)
        os.write(writing, json.dumps(act()).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return json.JSONDecoder().raw_decode(told.decode() or '"nothing"')[0]  # a call that forks tells it twice


def every():
    return [call(number) for number in (*range(TOP + 1), *FAR) if number not in ALONE]


def i386():
    page = mmap.mmap(-1, 4096, prot=7)
    page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid); int 0x80; ret
    return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()


def ranges(numbers):
    runs = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return runs


def report():
    found = alone(every)
    numbers = [number for number in (*range(TOP + 1), *FAR) if number not in ALONE]
    answers = {}
    for number, answer in [*zip(numbers, found, strict=True), *((n, alone(lambda: call(n))) for n in ALONE)]:
        answers.setdefault(answer if answer in ("EPERM", "ENOSYS", "SIGSYS") else "other", []).append(number)
    told = {answer: ranges(numbers) for answer, numbers in answers.items()}
    if platform.machine() == "x86_64":
        told["x32"] = sorted({alone(lambda: call((1 << 30) + n)) for n in X32})
        told["i386"] = alone(i386)
    status = dict(line.split(":\t", 1) for line in open("/proc/self/status"))
    told["filters"] = int(status.get("Seccomp_filters", -1))
    return json.dumps(told, separators=(",", ":"))
"""
)

# The filter allows these calls, but the kernel refuses them to processes without privileges, which may not lock memory or
# change their groups.
KERNEL_REFUSES = ("mlock", "setgroups")
# The filter allows these calls, but they return ENOSYS for meaningless arguments.
SAY_ENOSYS = ("futex",)
# The filter of a child refuses these calls if their arguments are meaningless. The container's profile refuses only those in
# REFUSED_TO_ALL.
REFUSED_TO_CHILDREN = ("clone", "prctl", "prlimit64", "socket", "socketpair")
REFUSED_TO_ALL = ("clone", "socket", "socketpair")


def allowed(*, zygote: bool) -> set[int]:
    """Return the numbers that must pass the filter with meaningless arguments."""
    conditional = _numbers(CONDITIONAL) - _numbers(CONDITIONAL, REFUSED_TO_ALL if zygote else REFUSED_TO_CHILDREN)
    return (_numbers(EVERYONE) | (_numbers(ZYGOTE) if zygote else set()) | conditional) - {clone3()}


def clone3() -> int:
    """Return the number of clone3. Every filter makes this call fail with ENOSYS, so that the C library uses clone instead."""
    return _numbers(CONDITIONAL, ("clone3",)).pop()


def refused_by_the_kernel() -> set[int]:
    """Return the numbers that the filter allows, but that the kernel refuses with EPERM to processes without privileges."""
    return _numbers(EVERYONE | ZYGOTE, KERNEL_REFUSES)


def unknown_by_themselves() -> set[int]:
    """Return the numbers that the filter allows, but that fail with ENOSYS because of their meaningless arguments."""
    return _numbers(EVERYONE, SAY_ENOSYS)


def read_report(text: str) -> dict[str, Any]:
    """Parse the output of PROBE, and convert its ranges of numbers to sets."""
    told: dict[str, Any] = json.loads(text)
    for name in ("EPERM", "ENOSYS", "SIGSYS", "other"):
        told[name] = {number for low, high in told.get(name, ()) for number in range(low, high + 1)}
    return told
