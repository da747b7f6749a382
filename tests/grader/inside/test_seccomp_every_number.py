"""Checks that every system call number is allowed by the table in grader/inside/confine/syscalls.py, denied by name (in
denied.txt or NEW), or unused. Also checks that the container's profile alone denies root every call that the table does not
allow.

test_denied_calls.py makes the calls in processes that have few privileges, as answers and tests do. The kernel itself refuses
many calls to these processes, which could hide a hole in a filter. Here, root makes the calls with many capabilities, so only
the profile can deny them.
"""

import platform
from collections.abc import Callable
from typing import Any

import pytest

from grader.inside.confine.syscalls import CONDITIONAL, EVERYONE, NEWEST, ZYGOTE
from tests.grader.inside.test_seccomp import ALLOW, ENOSYS, EPERM, MACHINES, POWERFUL, filtered

Denied = Callable[[str, str], dict[str, int]]
Probe = Callable[..., dict[str, Any]]

# Denied calls that are not in denied.txt, because an old container engine does not know them and makes them fail with ENOSYS.
# The calls in denied.txt fail with EPERM on every engine.
NEW = {"cachestat": 451, "map_shadow_stack": 453, "statmount": 457, "listmount": 458, "lsm_get_self_attr": 459}
NEW |= {"lsm_set_self_attr": 460, "lsm_list_modules": 461, "setxattrat": 463, "getxattrat": 464, "listxattrat": 465}
NEW |= {"removexattrat": 466, "open_tree_attr": 467}
# Numbers that are unused or no longer used, and the numbers of uretprobe and uprobe (335, 336), which kernels let pass every
# filter.
NOBODYS = {
    "x86_64": {156, 174, 177, 178, *range(180, 186), 205, 211, 214, 215, 236, *range(335, 424)},
    "aarch64": {42, *range(244, 260), *range(295, 424)},
}
OLD_ENGINES_KNOW = 448


def table(machine: str) -> set[int]:
    rows = (getattr(numbers, machine) for numbers in (EVERYONE | ZYGOTE | CONDITIONAL).values())
    return {number for number in rows if number is not None}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_is_allowed_or_denied_by_name_or_nobodys(machine: str, denied: Denied) -> None:
    children_only = set(denied("children", machine).values())
    refused = set(denied("everybody", machine).values()) | set(NEW.values())
    assert refused & table(machine) == set()
    assert NOBODYS[machine] & (refused | table(machine)) == set()
    assert children_only <= table(machine)
    assert refused | table(machine) | NOBODYS[machine] == set(range(NEWEST + 1))


@pytest.mark.parametrize("machine", MACHINES)
def test_the_childs_filter_allows_what_the_table_names_and_nothing_else(machine: str) -> None:
    conditional = {getattr(numbers, machine) for numbers in CONDITIONAL.values()}
    free = {getattr(numbers, machine) for numbers in EVERYONE.values()} - {None}
    answers = {number: filtered(machine, number) for number in range(NEWEST + 1) if number not in conditional}
    assert {number for number, answer in answers.items() if answer == ALLOW} == free
    assert {answer for number, answer in answers.items() if number not in free} == {EPERM}
    assert {filtered(machine, number) for number in range(NEWEST + 1, 70_000)} == {ENOSYS}


@pytest.mark.docker
@pytest.mark.skipif(platform.machine() not in MACHINES, reason="no table of system calls for this machine")
def test_the_profile_denies_every_number_to_a_powerful_root_too(in_cell: Probe) -> None:
    machine = platform.machine()
    passed_by = {335, 336} if machine == "x86_64" else set()
    numbers = sorted(set(range(NEWEST + 1)) - table(machine) - passed_by)
    calls = [[str(number), number, *[-1] * 6] for number in numbers]
    answers = in_cell("calls", "zygote", stdin=calls, capabilities=POWERFUL)
    assert {answers[str(number)] for number in numbers if number <= OLD_ENGINES_KNOW} == {"EPERM"}
    assert {answers[str(number)] for number in numbers if number > OLD_ENGINES_KNOW} <= {"EPERM", "ENOSYS"}
