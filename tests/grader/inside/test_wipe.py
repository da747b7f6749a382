"""Checks the wipe, which cleans a cell after a job. None of the job's processes and files may be left, whatever the job did."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.inside.zygote.wipe import empty_directories, kill_uid

Probe = Callable[..., dict[str, Any]]
AS_ROOT = pytest.mark.skipif(os.getuid() != 0, reason="only root can give a child another uid")


@pytest.mark.docker
def test_a_fork_bomb_is_wiped_and_the_zygote_still_forks(in_cell: Probe) -> None:
    report = in_cell("bomb", 70001, 300, "/tmp/job")
    assert report.pop("peak") >= 150
    report.pop("took")
    assert report == {"left": 0, "audit": [], "forks": True}


@AS_ROOT
def test_a_root_process_wipes_a_fork_bomb_and_nothing_else(as_process: Probe, job_root: str, job_uid: int) -> None:
    report = as_process("bomb", job_uid, 60, f"{job_root}/job")
    assert report["peak"] >= 30
    assert (report["left"], report["forks"]) == (0, True)
    assert not any("process" in finding for finding in report["audit"])


def test_an_ordinary_account_kills_what_its_job_left_behind_but_not_its_other_children(as_process: Probe) -> None:
    report = as_process("orphans", *([70124] if os.getuid() == 0 else []))
    assert report == {"before": 4, "left": 0, "spare alive": True, "orphans alive": 0}


@pytest.mark.parametrize("uid", [0, -1, 65533])
def test_uids_that_are_not_a_jobs_are_never_killed(uid: int) -> None:
    with pytest.raises(ValueError, match="not one that jobs may have"):
        kill_uid(uid)


@pytest.mark.docker
def test_a_hostile_tree_is_swept_from_a_cell(in_cell: Probe) -> None:
    report = in_cell("tree", 70001, 3000, 3500, "/tmp", "/dev/shm")
    assert report["planted"]
    assert report["before"] == [1, 9]
    assert report["left"] == []
    assert report["kept"] == [True, True], "the zygote is not what it was before"
    assert report["bystander"] == ["gradus"]


def test_a_hostile_tree_is_swept_from_directories_of_a_process_cell(
    as_process: Probe, job_root: str, job_uid: int
) -> None:
    directories = [Path(job_root, name) for name in ("one", "two")]
    for each in directories:
        each.mkdir()
        each.chmod(0o1777)
    report = as_process("tree", job_uid if os.getuid() == 0 else 0, 300, 500, *directories)
    assert report["planted"]
    assert report["left"] == []
    assert report["kept"] == [True, True], "the zygote is not what it was before"
    assert report["bystander"] == ["untouched"]
    assert all(each.is_dir() for each in directories)


def test_a_sweep_out_of_time_says_what_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert empty_directories(os.getuid(), [str(tmp_path)], deadline_s=-1) == [str(tmp_path / "file")]


def test_a_sweep_does_not_enter_a_directory_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(NotADirectoryError):
        empty_directories(os.getuid(), [str(tmp_path / "link")])
    assert (tmp_path / "real" / "file").exists()
