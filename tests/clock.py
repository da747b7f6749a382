"""A wall clock that a test sets, for a service that runs as a process of its own: libfaketime stands before the system's."""

from pathlib import Path

FOLDERS = ("/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime", "/usr/lib/faketime")
LIBRARY = "libfaketimeMT.so.1"


class WallClock:
    """Shows the true time until it is set. Timers are not moved by it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._library = next((one for one in map(Path, FOLDERS) if (one / LIBRARY).exists()), None)
        self.ahead(0)

    @property
    def is_there(self) -> bool:
        """Whether libfaketime is installed."""
        return self._library is not None

    @property
    def variables(self) -> dict[str, str]:
        """What the process's environment needs for it. What it starts with an environment of its own reads the true time."""
        if self._library is None:
            return {}
        return {
            "LD_PRELOAD": str(self._library / LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._path),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def ahead(self, seconds: int) -> None:
        """Let it be so much ahead of the true time; that is noticed within a second."""
        fresh = self._path.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}\n")
        fresh.replace(self._path)
