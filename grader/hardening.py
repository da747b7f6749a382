"""What `docker create` is told of a node's containers: all of their hardening, and the one GPU that one may have."""

from pathlib import Path
from typing import Any

import docker

from grader.hosts import Shape
from grader.seccomp_profile import profile_text

LABEL = "gradus.node"
MOUNT = "/run/gradus"
WRITABLE = ("/tmp", "/dev/shm")
CDI_KIND = "nvidia.com/gpu"
_CAPABILITIES = ("SETUID", "SETGID", "SETPCAP", "KILL")
_ZYGOTE = ("python3", "-m", "grader.inside.zygote")


def flags(
    shape: Shape,
    *,
    image: str,
    folder: Path,
    label: str,
    floor: bool = True,
    cdi: bool = False,
) -> dict[str, Any]:
    """Arguments of `docker create`: the whole hardening of a container, as one pure function.

    `floor` adds SYS_RESOURCE, with which a child cannot lower its oom_score_adj again; not every engine can grant it. `cdi`: the
    engine knows GPUs by their CDI names, so that nothing in the image has a say in which of them it gets.
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
    """One GPU or MIG slice, and no other."""
    if cdi:
        return docker.types.DeviceRequest(driver="cdi", device_ids=[f"{CDI_KIND}={gpu}"])
    return docker.types.DeviceRequest(driver="nvidia", device_ids=[gpu], capabilities=[["gpu", "compute", "utility"]])


def knows_cdi(info: dict[str, Any], gpu: str) -> bool:
    """Whether an engine lists a GPU among what it can hand out by CDI. Where it only says in which folders it looks, nobody
    knows what it has found there.
    """
    return any(device.get("ID") == f"{CDI_KIND}={gpu}" for device in info.get("DiscoveredDevices") or [])
