"""Checks that the service gets CPU time before cells do. With a real container engine, all cells together must have the
configured CPU weight.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from grader.hosts import cgroup, containers, host
from grader.hosts.containers import Engine
from grader.judging.pool.cell_starter import CELL

pytestmark = pytest.mark.docker
SHARES = 77


def file_around_one(image: str, **more: int) -> Path:
    """Start a container with these engine settings, then remove it. Return the path of the file that sets the CPU weight of the
    cgroup in which the container was.
    """
    engine = Engine(image=image, label=f"weighed-{more}", **more)
    engine.connect()
    container = engine.start(CELL)
    try:
        return cgroup.weight_around(container.pid)
    finally:
        container.destroy()


@pytest.mark.skipif(os.getuid() != 0, reason="only root may weigh groups")
def test_containers_weigh_what_their_node_says(grader_image: str) -> None:
    file = file_around_one(grader_image, cpu_shares=SHARES)
    assert file.parent.name.startswith(f"gradus{SHARES}")
    # The cgroup outlives its containers, so the file can still contain the weight of an earlier run. Overwrite it first.
    file.write_text("100")
    assert file_around_one(grader_image, cpu_shares=SHARES) == file
    assert file.read_text().strip() in (str(SHARES), str(100 * SHARES // 1024))


def test_without_a_weight_they_are_where_the_engine_puts_them(grader_image: str) -> None:
    assert not file_around_one(grader_image).parent.name.startswith("gradus")


@pytest.mark.skipif(os.getuid() != 0, reason="only root may weigh groups")
def test_until_the_first_cell_is_there_they_weigh_what_everybody_does(
    grader_image: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    real = host.await_zygote

    def watched(listener: Any, complaint: Any, group: cgroup.Cgroup) -> Any:
        pid = int((group.cpu / "cgroup.procs").read_text().split()[0])
        seen.append(cgroup.weight_around(pid).read_text().strip())
        return real(listener, complaint, group)

    monkeypatch.setattr(containers, "await_zygote", watched)
    engine = Engine(image=grader_image, label="weighed-first", cpu_shares=SHARES)
    engine.connect()
    own, everybody = (str(SHARES), str(100 * SHARES // 1024)), ("1024", "100")
    container = engine.start(CELL)
    try:
        assert seen[0] in everybody
        assert cgroup.weight_around(container.pid).read_text().strip() in own
    finally:
        container.destroy()
