"""Checks what a node finds out about GPUs. The tests use a simulated driver and need no GPU."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from grader.contract.errors import Unavailable
from grader.hosts import gpu_lock
from grader.hosts.container_options import flags, knows_cdi
from grader.hosts.gpu_lock import CUDA_HOST_MB, OnGpu, Tenancy
from grader.hosts.host import Shape
from grader.hosts.machine import gpus
from grader.hosts.processes import ProcessEngine, ProcessHost, _environment
from tests.grader.hosts.gpu_rig import Driver, gpu


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    made = Driver(tmp_path / "driver.json")
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    return made


def test_slices_stand_in_the_place_of_the_gpu_that_was_cut(driver: Driver) -> None:
    cut = gpu(1, slices=[gpu(2, name="Test GPU MIG 1g"), None, gpu(3)])
    driver.says(gpu(0, used_mb=7, programs=None), cut)
    seen = gpus.look()
    assert [found.id for found in seen.gpus] == ["GPU-00000000-aa", "GPU-00000002-aa", "GPU-00000003-aa"]
    first = seen.gpus[0]
    assert (seen.driver, first.memory_mb, first.used_mb, first.programs) == ("580.1", 24576, 7, None)
    assert seen.gpus[1].title == "Test GPU MIG 1g, 24 GiB, GPU-00000002"
    assert [found.id for found in gpus.look(("GPU-00000003-aa",)).gpus] == ["GPU-00000003-aa"]


def test_what_cannot_be_seen_is_said(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.says(gpu())
    with pytest.raises(Unavailable, match="GPU-other: no such GPU on this machine, which has GPU-00000000-aa"):
        gpus.look(("GPU-other",))
    driver.says()
    with pytest.raises(Unavailable, match=r"no GPU was found on this machine \(the driver names none\)"):
        gpus.look()
    driver.says(problem="Driver Not Loaded")
    with pytest.raises(Unavailable, match=r"\(Driver Not Loaded\)"):
        gpus.look()
    driver.path.write_text("no JSON")
    with pytest.raises(Unavailable, match="could not be listed"):
        gpus.look()
    driver.says(gpu(), hang=60)
    monkeypatch.setattr(gpus, "LOOK_S", 0.5)
    with pytest.raises(Unavailable, match="does not answer within"):
        gpus.look()


def test_a_machine_without_a_driver_says_so() -> None:
    if Path("/proc/driver/nvidia").exists():
        pytest.skip("there is a driver here")
    with pytest.raises(Unavailable, match="no GPU was found on this machine"):
        gpus.look()


def tenant(driver: Driver, folder: Path, **told: Any) -> Tenancy:
    driver.says(gpu(**told))
    return Tenancy(gpus.look().gpus[0], folder)


def test_a_gpu_has_one_tenant_until_he_goes(driver: Driver, tmp_path: Path) -> None:
    first, second = tenant(driver, tmp_path), tenant(driver, tmp_path)
    first.hold()
    first.hold()
    with pytest.raises(Unavailable, match="is another node's"):
        second.hold()
    first.close()
    second.hold()
    # A killed process releases its lock.
    second.close()
    lock = f"""
import time
from pathlib import Path
from grader.hosts.gpu_lock import Tenancy
from grader.hosts.machine import gpus
Tenancy(gpus.look().gpus[0], Path({str(tmp_path)!r})).hold()
print(1, flush=True)
time.sleep(60)
"""
    other = subprocess.Popen([sys.executable, "-c", lock], stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline() == b"1\n"
    with pytest.raises(Unavailable, match="is another node's"):
        first.hold()
    other.kill()
    other.wait()
    other.stdout.close()
    first.hold()
    first.close()


def test_a_gpu_that_is_in_use_is_not_taken(driver: Driver, tmp_path: Path) -> None:
    taken = tenant(driver, tmp_path, programs=2)
    with pytest.raises(Unavailable, match="is in use by 2 programs that no job started"):
        taken.hold()
    driver.says(gpu())
    taken.hold()
    taken.close()


def test_a_job_waits_for_what_an_earlier_one_held(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tenant(driver, tmp_path)
    mine.hold()
    driver.says(gpu(used_mb=4 + gpu_lock.SLACK_MB))
    mine.require_empty()
    driver.says(gpu(used_mb=900, programs=1))
    monkeypatch.setattr(gpu_lock, "FREED_S", 60.0)
    threading.Timer(1.0, lambda: driver.says(gpu())).start()
    began = time.monotonic()
    mine.require_empty()
    assert time.monotonic() - began >= 0.9
    mine.close()


def test_a_job_does_not_begin_on_a_gpu_that_stays_occupied(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_lock, "FREED_S", 0.2)
    mine = tenant(driver, tmp_path)
    mine.hold()
    for told, says in (({"used_mb": 900}, "holds 896 MiB that nobody owns"), ({"programs": 1}, "in use by a program")):
        driver.says(gpu(**told))
        with pytest.raises(Unavailable, match=says):
            mine.require_empty()
        assert says in mine.occupied
        assert not mine.look_again()
    driver.says(gpu())
    assert mine.look_again()
    assert mine.occupied == ""
    mine.close()


def test_a_cell_sees_its_own_gpu_and_a_judge_none(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2,3")
    started: list[Shape] = []

    class Recording(ProcessEngine):
        def start(self, shape: Shape) -> ProcessHost:
            started.append(shape)
            raise Unavailable("enough")

    driver.says(gpu(7))
    with pytest.raises(Unavailable, match="enough"):
        OnGpu(Recording(), gpus.look().gpus[0]).start(Shape("cell", memory_mb=100))
    cell = started[0]
    assert (cell.gpu, cell.spare_mb, cell.memory_mb) == ("GPU-00000007-aa", CUDA_HOST_MB, CUDA_HOST_MB + 100)
    assert _environment(cell)["CUDA_VISIBLE_DEVICES"] == "GPU-00000007-aa"
    assert _environment(Shape("judge"))["CUDA_VISIBLE_DEVICES"] == ""


def test_containers_ask_for_one_gpu_or_none() -> None:
    def asked(shape: Shape, *, cdi: bool) -> Any:
        return flags(shape, image="image", folder=Path("/folder"), label="name", uid=70001, cdi=cdi)["device_requests"]

    mine = Shape("cell", gpu="MIG-1")
    assert asked(Shape("judge"), cdi=True) is None
    (named,) = asked(mine, cdi=True)
    assert (named["Driver"], named["DeviceIDs"], named["Count"]) == ("cdi", ["nvidia.com/gpu=MIG-1"], 0)
    (plain,) = asked(mine, cdi=False)
    assert (plain["Driver"], plain["DeviceIDs"]) == ("nvidia", ["MIG-1"])
    assert plain["Capabilities"] == [["gpu", "compute", "utility"]]
    listed = {"DiscoveredDevices": [{"Source": "cdi", "ID": "nvidia.com/gpu=MIG-1"}]}
    assert knows_cdi(listed, "MIG-1")
    assert not knows_cdi(listed, "MIG-2")
    assert not knows_cdi({"CDISpecDirs": ["/etc/cdi"]}, "MIG-1")
