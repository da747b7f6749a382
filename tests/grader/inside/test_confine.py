"""Checks how a zygote's child is confined, as seen from the child: in a container, as a process of root, and under an ordinary
account.
"""

import os
from collections.abc import Callable
from typing import Any

import pytest

from grader.inside.confine.confine import Confinement

Probe = Callable[..., dict[str, Any]]
UID = 70001
NONE = "0" * 16
AS_ROOT = pytest.mark.skipif(os.getuid() != 0, reason="only root can give a child another uid")


@pytest.fixture(scope="module")
def child(in_cell: Probe) -> dict[str, Any]:
    report = in_cell("confined", "strict", UID, "/tmp/job", "/tmp")
    assert "error" not in report, report
    return report


def assert_powerless(report: dict[str, Any], uid: int) -> None:
    status = report["status"]
    assert {name: status[name] for name in status if name.startswith("Cap")} == {
        f"Cap{name}": NONE for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")
    }
    assert status["Uid"] == status["Gid"] == "\t".join([str(uid)] * 4)
    assert status["Groups"] in ("", str(uid))
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert report["dumpable"] == 0


@pytest.mark.docker
def test_a_child_has_no_privilege_left(child: dict[str, Any]) -> None:
    assert_powerless(child, UID)


@pytest.mark.docker
def test_limits_are_hard(child: dict[str, Any]) -> None:
    fixed = {"NPROC": 42, "NOFILE": 256, "FSIZE": 1 << 20, "CORE": 0, "MEMLOCK": 0, "MSGQUEUE": 0, "DATA": 1 << 31}
    limits = child["limits"]
    assert {name: limits[name] for name in fixed} == {name: [value, value] for name, value in fixed.items()}
    assert limits["NICE"] == limits["RTPRIO"] == [0, 0]
    assert limits["SIGPENDING"][1] <= 256
    assert limits["CPU"] == [20, 22]


@pytest.mark.docker
def test_only_named_descriptors_survive_and_stdin_is_empty(child: dict[str, Any]) -> None:
    assert sorted(child["descriptors"]) == [0, 1, 2, child["kept"]]
    assert child["leaked"] not in child["descriptors"]
    assert child["stdin"] == "/dev/null"


@pytest.mark.docker
def test_the_environment_is_an_allow_list(child: dict[str, Any]) -> None:
    environment = child["environment"]
    assert environment["HOME"] == environment["TMPDIR"] == "/tmp/job"
    assert environment["USER"] == environment["LOGNAME"] == "candidate"
    assert environment["CUDA_VISIBLE_DEVICES"] == ""
    threads = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}
    listed = {"HOME", "TMPDIR", "USER", "LOGNAME", "PATH", "LANG", "PYTHONDONTWRITEBYTECODE", "CUDA_VISIBLE_DEVICES"}
    assert set(environment) == threads | listed


@pytest.mark.docker
def test_the_workdir_is_private_and_current(child: dict[str, Any]) -> None:
    assert child["cwd"] == "/tmp/job"
    assert child["workdir"] == [UID, 0o700]
    assert child["umask"] == 0o077


@pytest.mark.docker
def test_signals_are_as_in_a_new_python(child: dict[str, Any]) -> None:
    assert child["blocked signals"] == []
    assert child["signals changed"] == ["SIGPIPE", "SIGXFSZ"]
    assert child["leads its session"]


@pytest.mark.docker
@pytest.mark.parametrize("when", ["confined", "filtered"])
def test_a_child_reaches_neither_root_nor_its_zygote(child: dict[str, Any], when: str) -> None:
    # There is no uid 0 in the namespaces: to the kernel, it is not a valid number.
    assert {child[when][name] for name in ("setuid", "setresuid", "setgid")} <= {"EINVAL", "EPERM"}
    refused = ("setgroups", "raise a limit")
    assert {name: child[when][name] for name in refused} == dict.fromkeys(refused, "EPERM")
    # The zygote of a container is process 1 there. In the child's namespaces, that is the child's own process 1, of which it
    # may know no more.
    assert child[when]["read the zygote's memory"] in ("EACCES", "ENOENT")
    assert child[when]["read the zygote's environment"] in ("EACCES", "ENOENT")
    if when == "filtered":
        assert child[when]["namespace"] == child[when]["clone a namespace"] == "EPERM"


@pytest.mark.docker
def test_the_filter_keeps_a_child_private_and_first_to_die(child: dict[str, Any]) -> None:
    assert child["score"] == "1000"
    answers = child["filtered"]
    assert (answers["become dumpable"], answers["stay private"], answers["execute"]) == ("EPERM", "ok", "EPERM")
    assert answers["lower the score"] == "EACCES"
    assert answers["lower the score when dumpable"] == "EPERM"


@pytest.mark.docker
@pytest.mark.parametrize(("workdir", "step"), [("/proc/job", "workdir"), ("/tmp", "workdir"), ("/probes", "workdir")])
def test_a_child_that_cannot_be_confined_never_runs(workdir: str, step: str, in_cell: Probe) -> None:
    report = in_cell("confined", "strict", UID, workdir, "/tmp")
    assert report["error"].startswith(f"confinement failed at «{step}»")


@AS_ROOT
def test_a_root_process_confines_without_namespaces_too(as_process: Probe, job_root: str, job_uid: int) -> None:
    report = as_process("confined", "strict", job_uid, f"{job_root}/job", "-")
    assert "error" not in report, report
    assert_powerless(report, job_uid)
    report = as_process("confined", "strict", job_uid, "/proc/job", "-")
    assert report["error"].startswith("confinement failed at «workdir»")


@AS_ROOT
def test_a_root_process_confines_as_a_container_does(as_process: Probe, job_root: str, job_uid: int) -> None:
    report = as_process("confined", "strict", job_uid, f"{job_root}/job", job_root)
    assert "error" not in report, report
    assert_powerless(report, job_uid)
    assert report["confined"]["kill the zygote"] == "ESRCH"
    assert report["filtered"]["lower the score when dumpable"] == "EPERM"


def ordinary(as_process: Probe, job_root: str, mode: str) -> dict[str, Any]:
    uid = 70123 if os.getuid() == 0 else os.getuid()
    become = [uid] if os.getuid() == 0 else []
    return as_process("confined", mode, uid, f"{job_root}/job", job_root, *become)


@AS_ROOT
def test_an_ordinary_account_hears_what_could_not_be_done(as_process: Probe, job_root: str) -> None:
    report = ordinary(as_process, job_root, "lenient")
    assert [note.split(":")[0] for note in report["notes"]] == ["groups", "verification"]


def test_an_ordinary_account_still_gives_up_what_it_can(as_process: Probe, job_root: str) -> None:
    report = ordinary(as_process, job_root, "lenient")
    assert report["status"]["NoNewPrivs"] == "1"
    assert report["status"]["CapEff"] == NONE
    assert report["dumpable"] == 0
    assert sorted(report["descriptors"]) == [0, 1, 2, report["kept"]]
    assert "GRADUS_SECRET" not in report["environment"]
    # The processes 1 and 2 of the namespaces, plus 40: what else the account runs does not count.
    assert report["limits"]["NPROC"][0] == 42
    assert report["filtered"]["execute"] == "EPERM"
    assert report["filtered"]["read the zygote's memory"] == "ENOENT"


@AS_ROOT
def test_an_ordinary_account_is_not_enough_when_strict(as_process: Probe, job_root: str) -> None:
    error = ordinary(as_process, job_root, "strict")["error"]
    assert error.startswith("confinement failed at «groups»")


@pytest.mark.parametrize(
    ("field", "value"), [("uid", 0), ("gid", 0), ("uid", -1), ("processes", 0), ("open_files", 0), ("workdir", "job")]
)
def test_a_confinement_without_meaning_is_refused(field: str, value: object) -> None:
    sound: dict[str, Any] = {"uid": 1, "gid": 1, "workdir": "/tmp/job", "processes": 1, "file_bytes": 0}
    Confinement(**sound)
    with pytest.raises(ValueError, match=r"needs|must"):
        Confinement(**(sound | {field: value}))
