"""Simulates NVIDIA's library pynvml for tests. It reports the content of a JSON file, whose path is in the environment variable
FAKE_NVML:

    {"gpus": [{"id", "name", "memory_mb", "used_mb", "programs", "slices"}], "hang": seconds, "problem": text}

`slices` lists the parts of a GPU that is divided (MIG). Its entries are like those of `gpus`, or null for an empty place.
`hang` makes the driver hang for that many seconds, and `problem` makes it raise an error.

Each process with a context of fake_cuda is counted as a program, and adds CONTEXT_MB to the used memory.
"""

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

SAID: dict[str, Any] = {}
Handle = dict[str, Any]
CONTEXT_MB = 500


class NVMLError(Exception):
    """The error that the simulated driver raises. It has the name of the library's error."""


def nvmlInit() -> None:
    SAID.update(json.loads(Path(os.environ["FAKE_NVML"]).read_text()))
    time.sleep(SAID.get("hang", 0))
    if "problem" in SAID:
        raise NVMLError(SAID["problem"])


def nvmlSystemGetDriverVersion() -> str:
    return "580.1"


def nvmlDeviceGetCount() -> int:
    return len(SAID["gpus"])


def nvmlDeviceGetHandleByIndex(number: int) -> Handle:
    handle: Handle = SAID["gpus"][number]
    return handle


def nvmlDeviceGetMigMode(handle: Handle) -> list[int]:
    if "slices" not in handle:
        raise NVMLError("Not Supported")
    return [1, 1]


def nvmlDeviceGetMaxMigDeviceCount(handle: Handle) -> int:
    return len(handle["slices"])


def nvmlDeviceGetMigDeviceHandleByIndex(handle: Handle, number: int) -> Handle:
    part: Handle | None = handle["slices"][number]
    if part is None:
        raise NVMLError("Not Found")
    return part


def nvmlDeviceGetMemoryInfo(handle: Handle) -> SimpleNamespace:
    return SimpleNamespace(
        total=handle["memory_mb"] << 20, used=(handle["used_mb"] + CONTEXT_MB * _contexts(handle)) << 20
    )


def nvmlDeviceGetComputeRunningProcesses(handle: Handle) -> list[None]:
    if handle["programs"] is None:
        raise NVMLError("Not Supported")
    return [None] * (int(handle["programs"]) + _contexts(handle))


def nvmlDeviceGetUUID(handle: Handle) -> str:
    return str(handle["id"])


def nvmlDeviceGetName(handle: Handle) -> str:
    return str(handle["name"])


def _contexts(handle: Handle) -> int:
    name = f"on {handle['id']}"[:15]
    count = 0
    for path in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            count += path.read_text().strip() == name
    return count
