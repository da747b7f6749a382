"""Sets the wall clock of a service that runs as a separate process, with libfaketime."""

from pathlib import Path

FOLDERS = ("/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime", "/usr/lib/faketime")
LIBRARY = "libfaketimeMT.so.1"


class WallClock:
    """The wall clock of a process. It shows the true time until it is set. Monotonic clocks are not affected."""

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
        """Return the environment variables that make a process use this clock. A child process that does not inherit them sees
        the true time.
        """
        if self._library is None:
            return {}
        return {
            "LD_PRELOAD": str(self._library / LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._path),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            # Otherwise libfaketime lets waits with a time limit end at once, also those for Python's global lock. A process with
            # several threads would then do hardly anything but ask for this lock.
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        }

    def ahead(self, seconds: int) -> None:
        """Set the clock `seconds` ahead of the true time. Processes notice within a second."""
        fresh = self._path.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}\n")
        fresh.replace(self._path)
