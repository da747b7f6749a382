"""Cells stand behind the service: on a real engine, all of them together weigh what they were given."""

import os
from pathlib import Path

import pytest

from grader import cgroup
from grader.containers import Engine
from grader.spares import CELL

pytestmark = pytest.mark.docker
SHARES = 77


def file_around_one(image: str, **more: int) -> Path:
    """The file with the weight of the group around a container that an engine with these settings has started and ended."""
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
    # The group stays when its containers have ended: what an earlier run has written there proves nothing.
    file.write_text("100")
    assert file_around_one(grader_image, cpu_shares=SHARES) == file
    assert file.read_text().strip() in (str(SHARES), str(100 * SHARES // 1024))


def test_without_a_weight_they_are_where_the_engine_puts_them(grader_image: str) -> None:
    assert not file_around_one(grader_image).parent.name.startswith("gradus")
