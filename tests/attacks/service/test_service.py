"""Runs every program of this folder against the same service. After each program, honest users must still be served."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

PROGRAMS = [path.stem for path in sorted(Path(__file__).parent.glob("[A-Z][0-9]*.py"))]
pytest.register_assert_rewrite(*(f"tests.attacks.service.{name}" for name in ("target", *PROGRAMS)))

from tests.attacks.service.target import Target, a_target  # noqa: E402

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def target(grader_image: str) -> Iterator[Target]:
    """The service that all programs attack, one after the other. Its queue is short, so that a program can fill it."""
    with a_target(grader_image, queue_limit="40", max_attempts="3", lease_s="10") as made:
        yield made


@pytest.mark.parametrize("program", PROGRAMS)
def test_attack_achieves_nothing(program: str, target: Target) -> None:
    since = target.log_end()
    try:
        import_module(f"tests.attacks.service.{program}").attack(target)
        target.check(since)
    except BaseException:
        print(target.live.log.read_bytes()[since:].decode())
        raise
    finally:
        target.part()
