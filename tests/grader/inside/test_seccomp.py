"""Checks the seccomp filters in two ways: by interpreting their programs (for every call number of both machine types), and by
real calls in a real container.
"""

import errno
import platform
import struct
from collections.abc import Callable
from typing import Any

import pytest

from grader.inside.confine.seccomp import assemble, candidate_filter, install, judge_filter

Denied = Callable[[str, str], dict[str, int]]
Probe = Callable[..., dict[str, Any]]

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
I386 = 0x40000003
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
JUST_THIS_MACHINE = pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers below are those of x86_64")
INVALID = [-1] * 6


def decide(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Return the kernel's decision about a call. To find it, interprets a seccomp program as classic BPF on seccomp_data."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, architecture, 0, *(each & 0xFFFFFFFFFFFFFFFF for each in padded))
    code = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    at, value = 0, 0
    while True:
        operation, if_true, if_false, constant = code[at]
        at += 1
        match operation:
            case 0x20:
                value = struct.unpack_from("<I", data, constant)[0]
            case 0x54:
                value &= constant
            case 0x06:
                return int(constant)
            case 0x15:
                at += if_true if value == constant else if_false
            case 0x25:
                at += if_true if value > constant else if_false
            case 0x35:
                at += if_true if value >= constant else if_false
            case 0x45:
                at += if_true if value & constant else if_false
            case _:
                raise AssertionError(f"unknown instruction {operation:#x}")


def filtered(machine: str, number: int, *arguments: int, loopback: bool = False, execute: bool = False) -> int:
    return decide(assemble(machine, loopback=loopback, execute=execute), MACHINES[machine], number, *arguments)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("who", ["everybody", "children"])
def test_no_denied_call_gets_through_the_childs_filter(machine: str, who: str, denied: Denied) -> None:
    through = [name for name, number in denied(who, machine).items() if filtered(machine, number) != EPERM]
    assert through == []


@pytest.mark.parametrize("machine", MACHINES)
def test_rights_that_a_challenge_asks_for_open_nothing_else(machine: str, denied: Denied) -> None:
    forbidden = denied("everybody", machine) | denied("children", machine)
    opened = [name for name, n in forbidden.items() if filtered(machine, n, loopback=True, execute=True) == ALLOW]
    assert opened == ["execve", "execveat"]


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_of_the_future_are_unknown_to_the_kernel_too(machine: str) -> None:
    assert {filtered(machine, number) for number in range(500, 3000)} == {ENOSYS}


def test_foreign_machines_are_killed() -> None:
    program = assemble("x86_64", loopback=True, execute=True)
    assert decide(program, I386, 20) == KILL
    assert decide(program, MACHINES["aarch64"], 172) == KILL
    assert decide(program, MACHINES["x86_64"], 0x40000000 + 39) == KILL
    assert decide(program, MACHINES["x86_64"], -1) == KILL
    assert decide(assemble("aarch64", loopback=True, execute=True), MACHINES["x86_64"], 39) == KILL


WANTED = {
    "x86_64": {"futex": 202, "mmap": 9, "mprotect": 10, "memfd_create": 319, "fork": 57, "wait4": 61, "kill": 62}
    | {"sched_setaffinity": 203, "sched_getaffinity": 204, "getrandom": 318, "rseq": 334, "sendmsg": 46, "poll": 7}
    | {"recvmsg": 47, "connect": 42, "exit_group": 231, "set_robust_list": 273, "openat": 257, "timer_create": 222},
    "aarch64": {"futex": 98, "mmap": 222, "mprotect": 226, "memfd_create": 279, "wait4": 260, "kill": 129, "read": 63}
    | {"sched_setaffinity": 122, "sched_getaffinity": 123, "getrandom": 278, "rseq": 293, "sendmsg": 211, "ppoll": 73}
    | {"recvmsg": 212, "connect": 203, "exit_group": 94, "set_robust_list": 99, "openat": 56, "timer_create": 107},
}


@pytest.mark.parametrize("machine", MACHINES)
def test_what_torch_lives_on_is_allowed(machine: str) -> None:
    assert [name for name, number in WANTED[machine].items() if filtered(machine, number) != ALLOW] == []


NUMBERS = {  # per machine, the numbers of clone, clone3, fcntl, ioctl, prctl, prlimit64, socket, socketpair
    "x86_64": (56, 435, 72, 16, 157, 302, 41, 53),
    "aarch64": (220, 435, 25, 29, 167, 261, 198, 199),
}
THREAD, FORK = 0x3D0F00, 0x1200011
ARGUMENTS = [  # index in NUMBERS, arguments, the filter's decision, its decision if loopback is allowed
    (0, [THREAD], ALLOW, ALLOW),
    (0, [FORK], ALLOW, ALLOW),
    *((0, [flag | 17], EPERM, EPERM) for flag in (1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30)),
    (1, [0, 88], ENOSYS, ENOSYS),
    (2, [3, 1], ALLOW, ALLOW),
    (2, [3, 1024], EPERM, EPERM),
    (2, [3, 1026], EPERM, EPERM),
    (3, [1, 0x5401], ALLOW, ALLOW),
    (3, [1, 0x5412], EPERM, EPERM),
    (3, [1, 0x100005412], EPERM, EPERM),
    (4, [15, 0x1000], ALLOW, ALLOW),
    (4, [4, 0], ALLOW, ALLOW),
    (4, [4, 1], EPERM, EPERM),
    (4, [0x100000004, 1], EPERM, EPERM),
    *((4, [option, 1], EPERM, EPERM) for option in (8, 22, 24, 28, 33, 35, 36, 47, 62, 0x59616D61)),
    (5, [0, 7], ALLOW, ALLOW),
    (5, [1, 7], EPERM, EPERM),
    (6, [1, 1, 0], ALLOW, ALLOW),
    (6, [2, 1, 0], EPERM, ALLOW),
    (6, [10, 0x80801, 6], EPERM, ALLOW),
    (6, [2, 2, 17], EPERM, ALLOW),
    (6, [2, 3, 0], EPERM, EPERM),
    (6, [2, 1, 132], EPERM, EPERM),
    (6, [16, 0x80003, 0], EPERM, ALLOW),
    (6, [16, 3, 9], EPERM, EPERM),
    *((6, [family, 1, 0], EPERM, EPERM) for family in (0, 3, 4, 17, 21, 29, 31, 38, 40, 43, 44)),
    (7, [1, 1, 0], ALLOW, ALLOW),
    (7, [30, 5, 0], EPERM, EPERM),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("position", "arguments", "answer", "with_loopback"), ARGUMENTS)
def test_some_calls_depend_on_their_arguments(
    machine: str, position: int, arguments: list[int], answer: int, with_loopback: int
) -> None:
    number = NUMBERS[machine][position]
    assert filtered(machine, number, *arguments) == answer
    assert filtered(machine, number, *arguments, loopback=True) == with_loopback


def test_the_judges_filter_grants_neither_network_nor_programs() -> None:
    assert judge_filter() == candidate_filter(loopback=False, execute=False)


def test_a_machine_without_tables_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no system call table for riscv64"):
        assemble("riscv64", loopback=False, execute=False)


def test_the_kernel_refuses_a_program_that_is_none() -> None:
    with pytest.raises(OSError, match="Invalid argument"):
        install(b"\0" * 8)


def calls(table: dict[str, int]) -> list[list[object]]:
    # The arguments are invalid. So a call that passes the filter does no harm and fails with an error other than EPERM.
    return [[name, number, *(INVALID if name != "personality" else [0x40000])] for name, number in table.items()]


@pytest.mark.docker
@JUST_THIS_MACHINE
def test_the_zygote_cannot_make_denied_calls(in_cell: Probe, denied: Denied) -> None:
    answers = in_cell("calls", "zygote", stdin=calls(denied("everybody", "x86_64")))
    assert set(answers.values()) == {"EPERM"}, answers


@pytest.mark.docker
@JUST_THIS_MACHINE
@pytest.mark.parametrize("role", ["child", "loopback"])
def test_a_confined_child_cannot_make_denied_calls(role: str, in_cell: Probe, denied: Denied) -> None:
    forbidden = denied("everybody", "x86_64") | denied("children", "x86_64")
    answers = in_cell("calls", role, stdin=calls(forbidden))
    assert set(answers.values()) == {"EPERM"}, answers


POWERFUL = tuple(
    "SYS_ADMIN SYS_PTRACE SYS_CHROOT SYS_NICE SYS_TTY_CONFIG SYS_TIME IPC_LOCK SYSLOG SYS_PACCT SYS_RAWIO "
    "DAC_READ_SEARCH SYS_BOOT SYS_MODULE".split()
)


@pytest.mark.docker
@JUST_THIS_MACHINE
def test_the_childs_filter_holds_without_profile_and_against_capabilities(in_cell: Probe, denied: Denied) -> None:
    forbidden = calls(denied("everybody", "x86_64") | denied("children", "x86_64"))
    answers = in_cell("calls", "filter", stdin=forbidden, profile="unconfined", capabilities=POWERFUL)
    assert set(answers.values()) == {"EPERM"}, answers


@pytest.mark.docker
@JUST_THIS_MACHINE
def test_a_powerful_zygote_without_profile_could_make_denied_calls(in_cell: Probe, denied: Denied) -> None:
    """Shows that the tests above can fail. Without a filter, these calls must return the kernel's own results and not EPERM."""
    harmless = ("ptrace", "keyctl", "io_uring_setup", "bpf", "userfaultfd", "mount", "unshare", "shmget", "mq_unlink")
    everything = denied("everybody", "x86_64") | denied("children", "x86_64")
    table = {name: number for name, number in everything.items() if name in harmless}
    answers = in_cell("calls", "zygote", stdin=calls(table), profile="unconfined", capabilities=POWERFUL)
    assert len(answers) == len(harmless)
    assert "EPERM" not in answers.values(), answers


SOCKETS = {"unix": [1, 1, 0], "inet": [2, 1, 0], "inet6": [10, 2, 0], "netlink route": [16, 3, 0]}
SOCKETS |= {"netlink audit": [16, 3, 9], "packet": [17, 3, 0], "alg": [38, 5, 0], "vsock": [40, 1, 0]}
SOCKETS |= {"xdp": [44, 3, 0], "tipc": [30, 5, 0], "bluetooth": [31, 3, 0], "can": [29, 3, 1], "rds": [21, 5, 0]}
OPEN_TO = {
    "zygote": {"unix", "inet", "inet6", "netlink route"},
    "child": {"unix"},
    "loopback": {"unix", "inet", "inet6", "netlink route"},
}


@pytest.mark.docker
@JUST_THIS_MACHINE
@pytest.mark.parametrize("role", OPEN_TO)
def test_only_named_socket_families_open(role: str, in_cell: Probe) -> None:
    answers = in_cell("calls", role, stdin=[[name, 41, *arguments] for name, arguments in SOCKETS.items()])
    assert {name for name, answer in answers.items() if answer == "ok"} == OPEN_TO[role]
    assert {answer for answer in answers.values() if answer != "ok"} == {"EPERM"}


@pytest.mark.docker
@JUST_THIS_MACHINE
@pytest.mark.parametrize("role", ["zygote", "child"])
def test_namespaces_cannot_be_made_by_any_form_of_clone(role: str, in_cell: Probe) -> None:
    flags = {"mount": 1 << 17, "cgroup": 1 << 25, "uts": 1 << 26, "ipc": 1 << 27, "user": 1 << 28, "net": 1 << 30}
    tries: list[list[object]] = [[name, 56, flag | 17, 0, 0, 0, 0] for name, flag in flags.items()]
    answers = in_cell("calls", role, stdin=[*tries, ["clone3", 435, -1, -1], ["future", 600]])
    assert answers.pop("clone3") == "ENOSYS"
    assert answers.pop("future") == "ENOSYS"
    assert set(answers.values()) == {"EPERM"}, answers


@pytest.mark.docker
@JUST_THIS_MACHINE
def test_execution_is_a_right_of_its_own(in_cell: Probe) -> None:
    missing_program = [["execve", 59, 0, 0, 0]]
    assert in_cell("calls", "child", stdin=missing_program) == {"execve": "EPERM"}
    assert in_cell("calls", "execute", stdin=missing_program) == {"execve": "EFAULT"}


@pytest.mark.docker
@JUST_THIS_MACHINE
@pytest.mark.parametrize("protection", ["profile", "filter"])
@pytest.mark.parametrize("abi", ["i386", "x32"])
def test_foreign_abis_kill_the_process(abi: str, protection: str, in_cell: Probe) -> None:
    profile = "unconfined" if protection == "filter" else None
    ended = in_cell("foreign", abi, protection, profile=profile)["ended"]
    # A kernel without 32-bit support ends the process with SIGSEGV.
    assert ended == "SIGSYS" or (abi == "i386" and ended == "SIGSEGV")


@pytest.mark.docker
def test_torch_works_in_a_cell(in_cell: Probe) -> None:
    report = in_cell("torch_works", 70002, "/tmp")
    assert report["torch"] is not None, "the grader image must have torch"
    assert_all_work(report)


def test_torch_works_in_a_process_cell(as_process: Probe, job_root: str, job_uid: int) -> None:
    assert_all_work(as_process("torch_works", job_uid, job_root))


def assert_all_work(report: dict[str, Any]) -> None:
    first, second = report["first"], report["second"]
    pairs = list(zip(first.pop("drawn"), second.pop("drawn"), strict=True))
    assert set(first.values()) | set(second.values()) | {report["gloo"]} == {"ok"}, report
    assert len(first) == 6
    assert all(one != other for one, other in pairs), "siblings draw the same numbers"
