"""Builds the arguments of `docker create` for a node's containers: all options that isolate a container, and the request for
its GPU if it has one.
"""

from pathlib import Path
from typing import Any

import docker

from grader.hosts.apparmor import apparmor_profile
from grader.hosts.host import HUGE_PAGES, SHM, TMP, Shape
from grader.hosts.seccomp_profile import profile_text
from grader.inside.confine.namespaces import Tmpfs

LABEL = "gradus.node"
MOUNT = "/run/gradus"
CDI_KIND = "nvidia.com/gpu"
# The options that belong to the container itself; all others are part of its host configuration.
_CONTAINER = ("image", "command", "labels", "user", "environment", "hostname", "working_dir")
_ZYGOTE = ("python3", "-m", "grader.inside.zygote.main")


def flags(shape: Shape, *, image: str, folder: Path, label: str, uid: int, cdi: bool = False) -> dict[str, Any]:
    """Build the arguments of `create`. This is a pure function, so that the isolation can be tested without an engine.

    All processes in the container run as `uid`, without any capability. The engine must not mask parts of /proc: the kernel
    would then refuse the children a /proc of their own, which shows nothing but their own processes. `cdi` requests the GPU by
    its CDI name, so that nothing in the image can influence which GPU the container gets.
    """
    tmpfs = "nr_inodes={inodes},mode=1777,noexec,nosuid,nodev,size={mb}m"
    own = (Tmpfs("/tmp", shape.tmp_mb, TMP), Tmpfs("/dev/shm", shape.shm_mb, SHM))
    options = ["--hide", MOUNT, *(argument for each in own for argument in ("--own", str(each)))]
    options += ["--gpu"] if shape.gpu else []
    return {
        "image": image,
        "command": [*_ZYGOTE, "--role", shape.role, "--socket", f"{MOUNT}/control.sock", *options],
        "labels": {LABEL: label},
        "user": f"{uid}:{uid}",
        "environment": {"HOME": "/tmp", "USER": "zygote", **HUGE_PAGES},
        "hostname": "cell",
        "working_dir": "/",
        "network_mode": "none",
        "read_only": True,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges", f"seccomp={profile_text()}"],
        "masked_paths": [],
        "readonly_paths": [],
        "pids_limit": shape.pids,
        "mem_limit": f"{shape.memory_mb}m",
        "memswap_limit": f"{shape.memory_mb}m",
        "nano_cpus": int(shape.cpus * 1e9) or None,
        "ipc_mode": "private",
        "cgroupns": "private",
        "tmpfs": {each.path: tmpfs.format(inodes=each.inodes, mb=each.mb) for each in own},
        "mounts": [docker.types.Mount(MOUNT, str(folder), type="bind", read_only=True)],
        "ulimits": [
            docker.types.Ulimit(name="core", soft=0, hard=0),
            docker.types.Ulimit(name="nofile", soft=1024, hard=1024),
            docker.types.Ulimit(name="memlock", soft=0, hard=0),
        ],
        "log_config": docker.types.LogConfig(type="json-file", config={"max-size": "64k", "max-file": "1"}),
        "init": False,
        "device_requests": [_request(shape.gpu, cdi=cdi)] if shape.gpu else None,
    }


def create(client: Any, arguments: dict[str, Any]) -> Any:
    """Create a container from the arguments that `flags` returns, with the AppArmor profile of cells where AppArmor is on. The
    SDK's own `containers.create` has no arguments for the masked and the read-only paths.
    """
    own = {name: value for name, value in arguments.items() if name in _CONTAINER}
    rest = {name: value for name, value in arguments.items() if name not in _CONTAINER}
    paths = {"MaskedPaths": rest.pop("masked_paths", None), "ReadonlyPaths": rest.pop("readonly_paths", None)}
    profile = apparmor_profile(client.info())
    rest["security_opt"] = [*rest["security_opt"], *([f"apparmor={profile}"] if profile else [])]
    host = {**client.api.create_host_config(**rest), **paths}
    return client.containers.get(client.api.create_container(**own, host_config=host)["Id"])


def _request(gpu: str, *, cdi: bool) -> docker.types.DeviceRequest:
    """Build the request for exactly one GPU or MIG slice."""
    if cdi:
        return docker.types.DeviceRequest(driver="cdi", device_ids=[f"{CDI_KIND}={gpu}"])
    return docker.types.DeviceRequest(driver="nvidia", device_ids=[gpu], capabilities=[["gpu", "compute", "utility"]])


def knows_cdi(info: dict[str, Any], gpu: str) -> bool:
    """Return whether an engine lists a GPU among its CDI devices. `info` is the engine's answer to `docker info`. Always
    returns False for an older engine, which reports only the folders where it looks for CDI devices.
    """
    return any(device.get("ID") == f"{CDI_KIND}={gpu}" for device in info.get("DiscoveredDevices") or [])
