"""Checks the line «Fresh namespaces» of `gradus doctor`: a host that forbids them may judge, but the line says why it is slow and
what mends it.
"""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.doctor.container import SHAPE, Measured, measure
from grader.doctor.findings import State
from grader.doctor.isolation import findings, namespaces
from grader.doctor.isolation_check import IsolationCheck
from grader.hosts.container_options import flags

pytestmark = pytest.mark.docker
NNP, PROFILE = flags(SHAPE, image="", folder=Path("/"), label="", uid=1)["security_opt"]


@pytest.fixture(scope="module")
def measured(grader_image: str) -> Measured:
    return measure(grader_image)


@pytest.mark.parametrize(
    ("weaker", "said", "advice"),
    [
        ({"readonly_paths": ["/proc/sys"]}, "mount proc /proc: Operation not permitted", "docs/nodes.md"),
        ({"security_opt": [NNP, PROFILE.replace('"mount",', "")]}, "mount", "docs/nodes.md"),
    ],
)
def test_a_host_that_forbids_namespaces_is_served_slowly_and_says_so(
    weaker: Mapping[str, Any], said: str, advice: str, grader_image: str
) -> None:
    (line,) = [each for each in findings(measure(grader_image, weaker)) if each.key == "namespaces"]
    assert line.state is State.WARNING
    assert said in line.measured
    assert "4 s of processor time" in line.measured
    assert advice in line.advice
    IsolationCheck(grader_image, {"readonly_paths": ["/proc/sys"]}).check()


@pytest.mark.parametrize(
    ("problem", "apparmor", "advice"),
    [
        ("no namespaces can be made: No space left on device", False, "sysctl -w user.max_user_namespaces=65536"),
        ("no namespaces can be made: Operation not permitted", False, "sysctl -w kernel.unprivileged_userns_clone=1"),
        ("mount  /: Permission denied", True, "bash deploy/apparmor.sh"),
    ],
)
def test_each_cause_has_its_own_advice(measured: Measured, problem: str, apparmor: bool, advice: str) -> None:
    inside = {**measured.inside, "namespaces": {"problem": problem, "ms": 0.0}}
    line = namespaces(dataclasses.replace(measured, inside=inside, apparmor=apparmor))
    assert line.state is State.WARNING
    assert advice in line.advice
