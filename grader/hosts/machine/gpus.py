"""Lists the GPUs of this machine and what uses them, as NVIDIA's driver reports them, without initialising CUDA.

If the driver hangs, a call into it never returns. So a separate process (`python -m grader.hosts.machine.gpus`) asks the driver
and prints one JSON object, and the node waits for that process with a timeout.
"""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from grader.contract.errors import Unavailable

LOOK_S = 20.0
MIB = 1 << 20


class Gpu(msgspec.Struct, frozen=True):
    """A GPU, or a MIG slice of one.

    `id` is the driver's UUID, which stays the same after a restart. Memory is in MiB. `programs` is the number of processes
    that compute on the GPU, or None if the driver does not report it.
    """

    id: str
    name: str
    memory_mb: int
    used_mb: int
    programs: int | None

    @property
    def title(self) -> str:
        """A readable name that is unique on this machine."""
        return f"{self.name}, {self.memory_mb / 1024:.0f} GiB, {self.id[:12]}"


class Seen(msgspec.Struct, frozen=True):
    """The driver's report. `problem` says why it lists no GPUs."""

    driver: str = ""
    gpus: tuple[Gpu, ...] = ()
    problem: str = ""


def look(ids: tuple[str, ...] = ()) -> Seen:
    """List the GPUs with the given `ids`, in the order of `ids`; without `ids`, list all GPUs. If a GPU is divided into MIG
    slices, the slices are listed instead of the GPU.

    Raises Unavailable with the reason if the machine has no GPU, or if one of `ids` is missing.
    """
    try:
        asked = subprocess.run(
            [sys.executable, "-m", "grader.hosts.machine.gpus"],
            capture_output=True,
            timeout=LOOK_S,
            stdin=subprocess.DEVNULL,
            check=True,
        )
        seen = msgspec.json.decode(asked.stdout, type=Seen)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"NVIDIA's driver does not answer within {LOOK_S:.0f} s: restart this machine") from None
    except (OSError, subprocess.SubprocessError, msgspec.MsgspecError) as error:
        raise Unavailable(f"this machine's GPUs could not be listed ({type(error).__name__})") from error
    if not seen.gpus:
        raise Unavailable(f"no GPU was found on this machine ({seen.problem or 'the driver names none'})")
    by_id = {gpu.id: gpu for gpu in seen.gpus}
    if missing := [name for name in ids if name not in by_id]:
        raise Unavailable(f"{', '.join(missing)}: no such GPU on this machine, which has {', '.join(by_id)}")
    return msgspec.structs.replace(seen, gpus=tuple(by_id[name] for name in ids)) if ids else seen


def ask() -> Seen:
    """Ask the driver in this process. Errors are returned as `problem`."""
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
    """Call a function of the driver. Returns None if the call fails: this GPU model does not support it, or the place for a MIG
    slice is empty.
    """
    try:
        return ask_for(*of)
    except nvml.NVMLError:
        return None


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(ask()))
