"""Checks how the kernel's figure for CPU pressure is read. It is the share of time in which processes wait for a processor."""

from pathlib import Path

import pytest

from grader.hosts.machine.pressure import PRESSURE, starving


@pytest.mark.parametrize(
    ("told", "share"),
    [
        ("some avg10=93.91 avg60=42.50 avg300=91.56 total=1884011925\nfull avg10=0.00 avg60=0.00 total=0\n", 0.425),
        ("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", 0.0),
        ("", None),
        ("some of another kernel\n", None),
    ],
)
def test_the_last_minute_is_read(tmp_path: Path, told: str, share: float | None) -> None:
    (tmp_path / "cpu").write_text(told)
    assert starving(tmp_path / "cpu") == share


def test_a_kernel_that_does_not_tell_is_no_trouble(tmp_path: Path) -> None:
    assert starving(tmp_path / "cpu") is None


@pytest.mark.skipif(not PRESSURE.exists(), reason="this kernel does not account for pressure")
def test_this_machine_tells() -> None:
    found = starving()
    assert found is not None
    assert 0 <= found <= 1
