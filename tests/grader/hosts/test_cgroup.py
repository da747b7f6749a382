"""Checks how cgroups account for CPU time and memory, and how they limit memory. Uses simulated files of both cgroup versions,
and the real cgroups of processes on this machine.
"""

from pathlib import Path

import pytest

from grader.hosts import cgroup
from grader.hosts.cgroup import Cgroup


@pytest.fixture
def first(tmp_path: Path) -> Cgroup:
    """A simulated cgroup of version 1, with separate folders for memory and cpuacct."""
    memory, cpu = tmp_path / "memory", tmp_path / "cpuacct"
    memory.mkdir()
    cpu.mkdir()
    (cpu / "cpuacct.usage").write_text("1500000000\n")
    (memory / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n")
    (memory / "memory.usage_in_bytes").write_text(f"{5 << 20}\n")
    (memory / "memory.max_usage_in_bytes").write_text(f"{9 << 20}\n")
    (memory / "memory.limit_in_bytes").write_text(f"{100 << 20}\n")
    (memory / "memory.memsw.limit_in_bytes").write_text(f"{100 << 20}\n")
    return Cgroup(memory, cpu, 1)


@pytest.fixture
def second(tmp_path: Path) -> Cgroup:
    """A folder that holds the files of one cgroup (version 2) as the kernel would show them."""
    folder = tmp_path / "unified"
    folder.mkdir()
    (folder / "cpu.stat").write_text("usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n")
    (folder / "memory.events").write_text("low 0\nhigh 0\nmax 12\noom 2\noom_kill 2\noom_group_kill 0\n")
    (folder / "memory.current").write_text(f"{6 << 20}\n")
    (folder / "memory.peak").write_text(f"{7 << 20}\n")
    (folder / "memory.max").write_text("max\n")
    (folder / "memory.swap.max").write_text("max\n")
    return Cgroup(folder, folder, 2)


def test_first_version_is_read(first: Cgroup) -> None:
    assert (first.cpu_seconds(), first.oom_kills(), first.memory_mb(), first.peak_mb()) == (1.5, 3, 5.0, 9.0)


def test_second_version_is_read(second: Cgroup) -> None:
    assert (second.cpu_seconds(), second.oom_kills(), second.memory_mb(), second.peak_mb()) == (2.5, 2, 6.0, 7.0)


def test_old_kernel_without_a_peak_tells_the_present_use(second: Cgroup) -> None:
    (second.memory / "memory.peak").unlink()
    assert second.peak_mb() == 6.0


def test_a_reset_says_whether_the_kernel_can_do_it(first: Cgroup, second: Cgroup) -> None:
    assert first.reset_peak()
    assert second.reset_peak()
    (second.memory / "memory.peak").unlink()
    assert not Cgroup(second.memory, second.cpu, 2).reset_peak()


def test_the_peak_is_read_through_the_file_that_was_reset(second: Cgroup) -> None:
    """In version 2, a reset applies only to the open file through which it was written."""
    second.reset_peak()
    before = dict(second._open)
    second.peak_mb()
    assert second._open == before


def test_kernel_that_does_not_count_kills_says_none(first: Cgroup) -> None:
    (first.memory / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\n")
    assert first.oom_kills() == 0


def test_limit_includes_swap(first: Cgroup, second: Cgroup) -> None:
    first.limit_memory(64)
    second.limit_memory(64)
    for name in ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"):
        assert (first.memory / name).read_text() == str(64 << 20)
    assert (second.memory / "memory.max").read_text() == str(64 << 20)
    assert (second.memory / "memory.swap.max").read_text() == "0"


@pytest.mark.parametrize("mb", [64, 200])
def test_limit_of_memory_is_never_above_that_with_swap(first: Cgroup, mb: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel refuses a state in which the limit for memory is above the limit for memory and swap together. So the two
    limits must be written in an order in which this is never the case.
    """
    write = Path.write_text

    def checked(path: Path, text: str) -> int:
        written = write(path, text)
        plain = int((first.memory / "memory.limit_in_bytes").read_text())
        assert plain <= int((first.memory / "memory.memsw.limit_in_bytes").read_text())
        return written

    monkeypatch.setattr(Path, "write_text", checked)
    first.limit_memory(mb)


def test_limit_without_swap_accounts_is_set_all_the_same(first: Cgroup, second: Cgroup) -> None:
    (first.memory / "memory.memsw.limit_in_bytes").unlink()
    first.limit_memory(32)
    assert (first.memory / "memory.limit_in_bytes").read_text() == str(32 << 20)


def test_group_that_is_gone_is_an_os_error(first: Cgroup) -> None:
    gone = Cgroup(first.memory / "gone", first.cpu / "gone", 1)
    for read in (gone.cpu_seconds, gone.oom_kills, gone.memory_mb):
        with pytest.raises(OSError, match="No such file"):
            read()


@pytest.mark.parametrize(
    ("lines", "version", "memory"),
    [
        ("12:cpu,cpuacct:/docker/ab\n9:memory:/docker/ab\n0::/docker/ab\n", 1, "memory/docker/ab"),
        ("0::/system.slice/docker-ab.scope\n", 2, "system.slice/docker-ab.scope"),
    ],
)
def test_group_of_a_process_is_found(
    lines: str, version: int, memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu,cpuacct").mkdir()
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    real = Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda p, *a, **k: lines if p.parts[1] == "proc" else real(p, *a, **k))
    found = cgroup.of_process(42)
    assert (found.version, found.memory) == (version, tmp_path / memory)


def test_process_that_is_gone_is_told_as_missing() -> None:
    with pytest.raises(FileNotFoundError):
        cgroup.of_process(2**22 + 1)


@pytest.mark.parametrize(
    ("lines", "file", "weight"),
    [
        ("4:cpu,cpuacct:/gradus128/ab\n9:memory:/gradus128/ab\n", "cpu,cpuacct/gradus128/cpu.shares", "128"),
        ("4:cpu:/gradus128/ab\n5:cpuacct:/gradus128/ab\n9:memory:/gradus128/ab\n", "cpu/gradus128/cpu.shares", "128"),
        ("0::/gradus128.slice/docker-ab.scope\n", "gradus128.slice/cpu.weight", "12"),
    ],
)
def test_the_group_around_containers_is_weighed(
    lines: str, file: str, weight: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / file
    written.parent.mkdir(parents=True)
    if "cpuacct:/" in lines and "cpu,cpuacct" not in lines:
        (tmp_path / "cpuacct").mkdir()
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    real = Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda p, *a, **k: lines if p.parts[1] == "proc" else real(p, *a, **k))
    cgroup.weigh_parent(42, 128)
    assert written.read_text() == weight
