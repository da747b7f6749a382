"""Checks the content of the containers' seccomp profile, without running a container: what it allows, and that its copy in
deploy/, for containers that are started by hand, is identical.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.hosts.seccomp_profile import container_profile, profile_text
from grader.inside.confine.syscalls import EVERYONE, ZYGOTE

ROOT = Path(__file__).parents[3]
RULES: list[dict[str, Any]] = container_profile()["syscalls"]


def rules_of(name: str) -> list[dict[str, Any]]:
    return [rule for rule in RULES if name in rule["names"]]


def test_the_copy_in_deploy_is_what_the_generator_prints() -> None:
    copy = (ROOT / "deploy/seccomp/container.json").read_text()
    assert copy == profile_text(), "run: python -m grader.hosts.seccomp_profile > deploy/seccomp/container.json"


def test_what_is_not_listed_fails_and_only_the_native_machine_is_known() -> None:
    profile = json.loads(profile_text())
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert all(each["subArchitectures"] == [] for each in profile["archMap"])
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"}


def test_no_call_that_is_denied_to_everybody_is_listed() -> None:
    lines = (Path(__file__).parents[1] / "inside/denied.txt").read_text().splitlines()
    denied = [line.split()[0] for line in lines if line.endswith("everybody")]
    assert len(denied) > 100
    assert [name for name in denied if rules_of(name)] == []


@pytest.mark.parametrize("name", ["setresuid", "setresgid", "setgroups", "capset", "prctl", "kill", "prlimit64"])
def test_what_the_zygote_needs_is_free(name: str) -> None:
    assert [(rule["action"], rule["args"]) for rule in rules_of(name)] == [("SCMP_ACT_ALLOW", [])]


def test_whatever_children_may_do_the_container_allows() -> None:
    assert [name for name in (*EVERYONE, *ZYGOTE) if not rules_of(name)] == []


def test_no_name_is_listed_twice_without_arguments() -> None:
    free = [name for rule in RULES if not rule.get("args") for name in rule["names"]]
    assert len(free) == len(set(free))


@pytest.mark.parametrize("name", ["clone", "socket", "socketpair"])
def test_calls_that_open_doors_are_allowed_by_argument_only(name: str) -> None:
    assert rules_of(name)
    assert all(rule["args"] for rule in rules_of(name))


def test_clone3_is_unknown_so_that_the_c_library_uses_clone() -> None:
    assert [(rule["action"], rule["errnoRet"]) for rule in rules_of("clone3")] == [("SCMP_ACT_ERRNO", 38)]
