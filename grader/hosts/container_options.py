"""Builds the arguments of `docker create` for a node's containers: all options that isolate a container, and the request for
its GPU if it has one.
"""

from pathlib import Path
from typing import Any

import docker

from grader.hosts.host import Shape
from grader.hosts.seccomp_profile import profile_text

LABEL = "gradus.node"
MOUNT = "/run/gradus"
WRITABLE = ("/tmp", "/dev/shm")
CDI_KIND = "nvidia.com/gpu"
_CAPABILITIES = ("SETUID", "SETGID", "SETPCAP", "KILL")
_ZYGOTE = ("python3", "-m", "grader.inside.zygote.main")


def flags(
    shape: Shape,
    *,
    image: str,
    folder: Path,
    label: str,
    floor: bool = True,
    cdi: bool = False,
) -> dict[str, Any]:
    """Build the arguments of `docker create`. This is a pure function, so that the isolation can be tested without an engine.

    `floor` adds the capability SYS_RESOURCE, which not every engine can grant. With this capability, the zygote can prevent a
    child from lowering its oom_score_adj again. `cdi` requests the GPU by its CDI name, so that nothing in the image can
    influence which GPU the container gets.
    """
    tmpfs = "nr_inodes={inodes},mode=1777,noexec,nosuid,nodev,size={mb}m"
    options = [argument for path in WRITABLE for argument in ("--writable", path)]
    options += ["--gpu"] if shape.gpu else []
    return {
        "image": image,
        "command": [*_ZYGOTE, "--role", shape.role, "--socket", f"{MOUNT}/control.sock", *options],
        "labels": {LABEL: label},
        "network_mode": "none",
        "read_only": True,
        "cap_drop": ["ALL"],
        "cap_add": [*_CAPABILITIES, *(["SYS_RESOURCE"] if floor else [])],
        "security_opt": ["no-new-privileges", f"seccomp={profile_text()}"],
        "pids_limit": shape.pids,
        "mem_limit": f"{shape.memory_mb}m",
        "memswap_limit": f"{shape.memory_mb}m",
        "nano_cpus": int(shape.cpus * 1e9) or None,
        "ipc_mode": "private",
        "cgroupns": "private",
        "tmpfs": {
            "/tmp": tmpfs.format(inodes=4096, mb=shape.tmp_mb),
            "/dev/shm": tmpfs.format(inodes=1024, mb=shape.shm_mb),
        },
        "mounts": [docker.types.Mount(MOUNT, str(folder), type="bind", read_only=True)],
        "ulimits": [
            docker.types.Ulimit(name="core", soft=0, hard=0),
            docker.types.Ulimit(name="nofile", soft=1024, hard=1024),
            docker.types.Ulimit(name="memlock", soft=0, hard=0),
        ],
        "log_config": docker.types.LogConfig(type="json-file", config={"max-size": "64k", "max-file": "1"}),
        "init": False,
        "device_requests": [_request(shape.gpu, cdi=cdi)] if shape.gpu else None,
        "hostname": "cell",
        "working_dir": "/",
    }


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
