"""Runs all checks of `gradus doctor`: the container engine, the image, the isolation, the host's settings, its speed, and its
GPUs. The findings are in the order in which they are shown.
"""

from typing import Any

import docker
import docker.errors
import requests

from grader.contract.errors import Unavailable
from grader.doctor import host
from grader.doctor.container import Measured, measure
from grader.doctor.findings import Finding, Group, State
from grader.doctor.isolation import current, findings

OLDEST_API = (1, 41)


def examine(image: str, slots: int) -> list[Finding]:
    """Run all checks. They take about a second together and leave no containers or files behind."""
    found, client, docker_root = _engine(image)
    measured: Measured | None = None
    try:
        if client is None:
            raise Unavailable("see above")
        measured = measure(image, client=client)
        found += [current(measured), *findings(measured)]
    except Unavailable as error:
        found.append(_unseen(str(error)))
    finally:
        _close(client)
    collapse = measured.inside["collapse"] if measured else None
    return [*found, *host.host(), *host.speed(slots, docker_root, collapse), *host.gpus()]


def _engine(image: str) -> tuple[list[Finding], Any, str]:
    """Check the engine and the image. Returns the findings, a Docker client (None if the engine or the image is missing), and
    Docker's data folder.
    """
    client = None
    try:
        client = docker.from_env(timeout=30)
        version, info = client.version(), client.info()
    except (docker.errors.DockerException, requests.RequestException, OSError) as error:
        words = str(error).splitlines()[0][:160]
        _close(client)
        advice = "install and start it: make image does both, and says why it cannot"
        return [Finding(Group.ENGINE, "engine", "Docker Engine", State.UNSEEN, f"no answer: {words}", advice)], None, ""
    found, root = [_version(version, info)], str(info.get("DockerRootDir", ""))
    try:
        size = client.images.get(image).attrs["Size"]
    except docker.errors.DockerException:
        _close(client)
        found.append(Finding(Group.ENGINE, "image", "Image", State.UNSEEN, f"{image} is missing", "make image"))
        return found, None, root
    found.append(Finding(Group.ENGINE, "image", "Image", State.OK, f"{image}, {size / 1e9:.1f} GB"))
    return found, client, root


def _close(client: Any) -> None:
    if client is not None:
        client.close()


def _version(version: dict[str, Any], info: dict[str, Any]) -> Finding:
    number = tuple(int(part) for part in version["ApiVersion"].split("."))
    runtime, cgroups = info.get("DefaultRuntime", "?"), info.get("CgroupVersion", "?")
    text = f"{version['Version']} (API {version['ApiVersion']}), runtime {runtime}, cgroup v{cgroups}"
    fine = number >= OLDEST_API
    advice = "" if fine else "Docker Engine 20.10 or later is needed"
    return Finding(Group.ENGINE, "engine", "Docker Engine", State.OK if fine else State.FAILED, text, advice)


def _unseen(why: str) -> Finding:
    return Finding(
        Group.ISOLATION, "isolation", "Isolation", State.UNSEEN, f"could not be checked: {why}", "fix that first"
    )
