"""Cells stand behind the service: on a real engine, all of them together weigh what they were given."""

import os

import pytest

from grader import cgroup
from grader.containers import Engine
from grader.spares import CELL

pytestmark = pytest.mark.docker
SHARES = 77


def weight_around_one(image: str, **more: int) -> tuple[str, str]:
    """Name and weight of the group around a container that an engine with these settings starts, as the kernel has them."""
    engine = Engine(image=image, label=f"weighed-{more}", **more)
    engine.connect()
    container = engine.start(CELL)
    try:
        file = cgroup.weight_around(container.pid)
        return file.parent.name, file.read_text().strip()
    finally:
        container.destroy()


@pytest.mark.skipif(os.getuid() != 0, reason="only root may weigh groups")
def test_containers_weigh_what_their_node_says(grader_image: str) -> None:
    name, weight = weight_around_one(grader_image, cpu_shares=SHARES)
    assert name.startswith(f"gradus{SHARES}")
    assert weight in (str(SHARES), str(100 * SHARES // 1024))


def test_without_a_weight_they_are_where_the_engine_puts_them(grader_image: str) -> None:
    name, _ = weight_around_one(grader_image)
    assert not name.startswith("gradus")
