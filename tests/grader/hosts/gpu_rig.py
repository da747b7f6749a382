"""A driver that reports what a test decides: NVIDIA's library is replaced in the process that asks it."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "fake_nvml"


def gpu(number: int = 0, used_mb: int = 4, programs: int | None = 0, **more: Any) -> dict[str, Any]:
    """One GPU in the driver's format."""
    told = {
        "id": f"GPU-{number:08d}-aa",
        "name": "Test GPU",
        "memory_mb": 24576,
        "used_mb": used_mb,
        "programs": programs,
    }
    return {**told, **more}


@dataclass
class Driver:
    """The driver's report from now on."""

    path: Path

    def says(self, *gpus: dict[str, Any], **more: Any) -> None:
        """Report these GPUs."""
        self.path.with_suffix(".new").write_text(json.dumps({"gpus": gpus, **more}))
        self.path.with_suffix(".new").replace(self.path)

    def stand_in_for_cuda(self, monkeypatch: Any) -> None:
        """Processes started from now on find this driver, and a CUDA that knows it."""
        found = self.environment
        monkeypatch.setenv("FAKE_NVML", found["FAKE_NVML"])
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(FOLDER.with_name("fake_cuda")), found["PYTHONPATH"]]))

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables with which a process finds it."""
        paths = [str(FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {"PYTHONPATH": os.pathsep.join(paths), "FAKE_NVML": str(self.path)}
