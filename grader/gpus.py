"""Which GPUs a machine has, and what is on them: NVIDIA's driver is asked, without CUDA.

A driver that hangs takes its caller with it. So it is asked by a process of its own (`python -m grader.gpus`), which prints one
JSON object and ends; the node waits for it as long as it likes.
"""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from grader.errors import Unavailable

LOOK_S = 20.0
MIB = 1 << 20


class Gpu(msgspec.Struct, frozen=True):
    """A GPU, or a MIG slice of one. `id` is the driver's, the same after a restart; memory in MiB; `programs` compute on it, None
    where the driver does not say.
    """

    id: str
    name: str
    memory_mb: int
    used_mb: int
    programs: int | None

    @property
    def title(self) -> str:
        """What people call it; no two on a machine are called the same."""
        return f"{self.name}, {self.memory_mb / 1024:.0f} GiB, {self.id[:12]}"


class Seen(msgspec.Struct, frozen=True):
    """What the driver says; `problem` is why it says nothing."""

    driver: str = ""
    gpus: tuple[Gpu, ...] = ()
    problem: str = ""


def look(ids: tuple[str, ...] = ()) -> Seen:
    """GPUs as they are now: those of `ids`, in this order, or all, with a MIG slice in the place of what is cut into slices.

    Raises Unavailable, with the reason, when there are none or one is missing.
    """
    try:
        asked = subprocess.run(
            [sys.executable, "-m", "grader.gpus"],
            capture_output=True,
            timeout=LOOK_S,
            stdin=subprocess.DEVNULL,
            check=True,
        )
        seen = msgspec.json.decode(asked.stdout, type=Seen)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"NVIDIA's driver does not answer within {LOOK_S:.0f} s: restart this machine") from None
    except (OSError, subprocess.SubprocessError, msgspec.MsgspecError) as error:
        raise Unavailable(f"this machine's GPUs could not be looked at ({type(error).__name__})") from error
    if not seen.gpus:
        raise Unavailable(f"no GPU is to be seen on this machine ({seen.problem or 'the driver names none'})")
    by_id = {gpu.id: gpu for gpu in seen.gpus}
    if missing := [name for name in ids if name not in by_id]:
        raise Unavailable(f"{', '.join(missing)}: no such GPU on this machine, which has {', '.join(by_id)}")
    return msgspec.structs.replace(seen, gpus=tuple(by_id[name] for name in ids)) if ids else seen


def ask() -> Seen:
    """Ask the driver here and now. Whatever goes wrong is a `problem`."""
    import pynvml

    try:
        pynvml.nvmlInit()
        found = tuple(_of(pynvml, handle) for handle in _handles(pynvml))
        return Seen(str(pynvml.nvmlSystemGetDriverVersion()), found)
    except pynvml.NVMLError as error:
        return Seen(problem=str(error))


def _handles(nvml: Any) -> Iterator[Any]:
    for number in range(nvml.nvmlDeviceGetCount()):
        whole = nvml.nvmlDeviceGetHandleByIndex(number)
        if _or_none(nvml, nvml.nvmlDeviceGetMigMode, whole) in (None, [0, 0], [0, 1]):
            yield whole
            continue
        for place in range(nvml.nvmlDeviceGetMaxMigDeviceCount(whole)):
            part = _or_none(nvml, nvml.nvmlDeviceGetMigDeviceHandleByIndex, whole, place)
            if part is not None:
                yield part


def _of(nvml: Any, handle: Any) -> Gpu:
    memory = nvml.nvmlDeviceGetMemoryInfo(handle)
    programs = _or_none(nvml, nvml.nvmlDeviceGetComputeRunningProcesses, handle)
    return Gpu(
        id=str(nvml.nvmlDeviceGetUUID(handle)),
        name=str(nvml.nvmlDeviceGetName(handle)),
        memory_mb=memory.total // MIB,
        used_mb=memory.used // MIB,
        programs=None if programs is None else len(programs),
    )


def _or_none(nvml: Any, ask_for: Any, *of: Any) -> Any:
    """Not every model answers every question, and places for slices may be empty."""
    try:
        return ask_for(*of)
    except nvml.NVMLError:
        return None


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(ask()))
