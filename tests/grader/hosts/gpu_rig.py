"""Simulates a GPU driver for tests. A test determines what the driver reports. The simulation replaces NVIDIA's library in each
process that queries the driver.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "fake_nvml"


def gpu(number: int = 0, used_mb: int = 4, programs: int | None = 0, **more: Any) -> dict[str, Any]:
    """Return the entry of one GPU, in the format of the file that fake_nvml reads."""
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
    """Determines what the simulated driver reports."""

    path: Path

    def says(self, *gpus: dict[str, Any], **more: Any) -> None:
        """Make the driver report these GPUs from now on."""
        self.path.with_suffix(".new").write_text(json.dumps({"gpus": gpus, **more}))
        self.path.with_suffix(".new").replace(self.path)

    def stand_in_for_cuda(self, monkeypatch: Any) -> None:
        """Make all processes that start from now on use the simulated driver and the simulated CUDA."""
        found = self.environment
        monkeypatch.setenv("FAKE_NVML", found["FAKE_NVML"])
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(FOLDER.with_name("fake_cuda")), found["PYTHONPATH"]]))

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that make a process use this driver."""
        paths = [str(FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {"PYTHONPATH": os.pathsep.join(paths), "FAKE_NVML": str(self.path)}
