"""Builds the second system call filter: a classic BPF program that a confined child installs on itself. It is stricter than the
first filter, which the container engine installs.

The second filter is an allow-list that is complete in itself, so it also protects a cell that is a plain process and has no
container engine. Calls that are not listed fail with EPERM. Calls that are newer than our tables fail with ENOSYS. Calls
through another ABI (i386, x32) kill the process. A program is a sequence of eight-byte instructions `<HBBI`: operation code,
jump if true, jump if false, constant.
"""

import ctypes
import errno
import platform
import struct
from collections.abc import Iterable
from functools import cache

from grader.inside.confine import kernel
from grader.inside.confine.syscalls import CONDITIONAL, EVERYONE, NEWEST, ZYGOTE, Numbers

Instruction = tuple[int, int, int, int]

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_ABOVE, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x25, 0x35, 0x45
_NUMBER, _ARCHITECTURE = 0, 4
_X32_BIT = 0x40000000

_ALLOW: Instruction = (_RETURN, 0, 0, 0x7FFF0000)
_KILL: Instruction = (_RETURN, 0, 0, 0x80000000)
_EPERM: Instruction = (_RETURN, 0, 0, 0x00050000 | errno.EPERM)
_ENOSYS: Instruction = (_RETURN, 0, 0, 0x00050000 | errno.ENOSYS)

_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_STREAM_AND_DATAGRAM, _SOCKET_TYPE_MASK = (1, 2), 0xF
_DEFAULT_TCP_UDP = (0, 6, 17)
# F_SETLEASE and F_NOTIFY of fcntl: with them, one job could signal another.
_DIRECTORY_NOTICES_AND_LEASES = (1024, 1026)
_TERMINAL_INJECTION = (0x5412, 0x541C, 0x5423)  # the forbidden ioctl requests TIOCSTI, TIOCLINUX and TIOCSETD
# The options of prctl that are allowed: process names, the parent-death signal, reading settings, timer slack, huge pages,
# vector lengths, no_new_privs, names of mappings. Forbidden are PR_SET_MM, PR_SET_PTRACER, PR_SET_SECCOMP,
# PR_SET_CHILD_SUBREAPER, PR_SCHED_CORE, and options that later kernels add.
_HARMLESS_PRCTL = (1, 2, 3, 15, 16, 21, 23, 27, 29, 30, 38, 39, 40, 41, 42, 50, 51, 52, 63, 64, 0x53564D41, 0x41555856)


def candidate_filter(*, loopback: bool, execute: bool) -> bytes:
    """Build the filter for the process that runs an answer, for this machine.

    `loopback` permits TCP and UDP sockets, which reach only the loopback interface in a container. `execute` permits execve;
    this also lets the child make itself dumpable again. Raises ValueError on a machine for which there is no table of system
    calls.
    """
    return assemble(platform.machine(), loopback=loopback, execute=execute)


def judge_filter() -> bytes:
    """Build the filter for processes of the judge, which never need a network or another program."""
    return assemble(platform.machine(), loopback=False, execute=False)


def install(program: bytes) -> None:
    """Install a filter for all threads of this process; it cannot be removed. Call this last, because confinement itself needs
    calls that the filter forbids.

    Raises OSError if no_new_privs is not set, or if the kernel rejects the filter.
    """
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    filter_mode, all_threads = 1, 1
    number = _required(ZYGOTE["seccomp"], platform.machine())
    thread = kernel.syscall(number, filter_mode, all_threads, ctypes.create_string_buffer(header, len(header)))
    if thread:
        raise OSError(errno.EBUSY, f"thread {thread} could not take the filter")


@cache
def assemble(machine: str, *, loopback: bool, execute: bool) -> bytes:
    """Build the bytes of a filter for one of MACHINES. The same arguments always give the same bytes."""
    if machine not in MACHINES:
        raise ValueError(f"no system call table for {machine}; Gradus runs on {' and '.join(MACHINES)}")
    allowed = set(EVERYONE.values()) | ({ZYGOTE["execve"], ZYGOTE["execveat"]} if execute else set())
    numbers = sorted(n for n in (_number(each, machine) for each in allowed) if n is not None)
    instructions = [*_gate(machine), *_conditional(machine, loopback), *_ranges(numbers), _EPERM]
    return b"".join(struct.pack("<HBBI", *each) for each in instructions)


def _gate(machine: str) -> list[Instruction]:
    native_only = [(_LOAD, 0, 0, _ARCHITECTURE), (_IF_EQUAL, 1, 0, MACHINES[machine]), _KILL, (_LOAD, 0, 0, _NUMBER)]
    x32 = [(_IF_AT_LEAST, 0, 1, _X32_BIT), _KILL] if machine == "x86_64" else []
    return [*native_only, *x32, (_IF_ABOVE, 0, 1, NEWEST), _ENOSYS]


def _conditional(machine: str, loopback: bool) -> list[Instruction]:
    rules = {
        "clone": [_argument(0), (_IF_ANY_BIT, 0, 1, kernel.NAMESPACES), _EPERM, _ALLOW],
        # A filter cannot read flags behind a pointer. After ENOSYS, the C library calls clone instead.
        "clone3": [_ENOSYS],
        "fcntl": [_argument(1), *_when_in(_DIRECTORY_NOTICES_AND_LEASES, _EPERM), _ALLOW],
        "ioctl": [_argument(1), *_when_in(_TERMINAL_INJECTION, _EPERM), _ALLOW],
        "prctl": _prctl(),
        "prlimit64": [_argument(0), *_when_in([0], _ALLOW), _EPERM],
        "socket": _socket(loopback),
        "socketpair": [_argument(0), *_when_in([_AF_UNIX], _ALLOW), _EPERM],
    }
    blocks = ((_required(CONDITIONAL[name], machine), body) for name, body in rules.items())
    return [each for number, body in blocks for each in ((_IF_EQUAL, 0, len(body), number), *body)]


def _prctl() -> list[Instruction]:
    stay_private = [(_IF_EQUAL, 0, 4, kernel.PR_SET_DUMPABLE), _argument(1), (_IF_EQUAL, 0, 1, 0), _ALLOW, _EPERM]
    return [_argument(0), *stay_private, *_when_in(_HARMLESS_PRCTL, _ALLOW), _EPERM]


def _socket(loopback: bool) -> list[Instruction]:
    local = [_argument(0), *_when_in([_AF_UNIX], _ALLOW)]
    if not loopback:
        return [*local, _EPERM]
    # gloo, a backend of torch.distributed, lists the network interfaces through netlink's protocol 0, «route»
    listing = [_argument(2), *_when_in([0], _ALLOW), _EPERM]
    internet = [(_IF_EQUAL, 0, len(listing), _AF_NETLINK), *listing, *_unless_in((_AF_INET, _AF_INET6), _EPERM)]
    kind = [_argument(1), (_AND, 0, 0, _SOCKET_TYPE_MASK), *_unless_in(_STREAM_AND_DATAGRAM, _EPERM)]
    return [*local, *internet, *kind, _argument(2), *_when_in(_DEFAULT_TCP_UDP, _ALLOW), _EPERM]


def _argument(index: int) -> Instruction:
    # Only the low 32 bits are loaded: the kernel treats all arguments that are tested here as 32-bit values.
    return (_LOAD, 0, 0, 16 + 8 * index)


def _when_in(values: Iterable[int], answer: Instruction) -> list[Instruction]:
    return [each for value in values for each in ((_IF_EQUAL, 0, 1, value), answer)]


def _unless_in(values: tuple[int, ...], answer: Instruction) -> list[Instruction]:
    jumps = [(_IF_EQUAL, len(values) - position, 0, value) for position, value in enumerate(values)]
    return [*jumps, answer]


def _ranges(numbers: list[int]) -> list[Instruction]:
    """Build the instructions that allow the system calls with these numbers: three instructions for each run of consecutive
    numbers.
    """
    starts = [n for n in numbers if n - 1 not in set(numbers)]
    ends = [n for n in numbers if n + 1 not in set(numbers)]
    runs = zip(starts, ends, strict=True)
    return [each for low, high in runs for each in ((_IF_AT_LEAST, 0, 2, low), (_IF_ABOVE, 1, 0, high), _ALLOW)]


def _number(numbers: Numbers, machine: str) -> int | None:
    return numbers.x86_64 if machine == "x86_64" else numbers.aarch64


def _required(numbers: Numbers, machine: str) -> int:
    number = _number(numbers, machine)
    if number is None:
        raise ValueError(f"{machine} lacks a system call that the filter depends on")
    return number
