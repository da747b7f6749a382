"""Process cells: the same zygotes as plain processes, where there is no Docker (a laptop, a GPU host without an engine).

Same contract as containers.py, weaker walls: no namespaces, no read-only root, no memory cgroup (RLIMIT_DATA stands in), CPU
time from /proc. As root the children still get uids of their own. The service serves localhost only with such cells.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from grader.errors import Unavailable
from grader.hosts import Shape, await_zygote, listen
from grader.zygote_client import ZygoteClient

_TICKS = os.sysconf("SC_CLK_TCK")


class ProcessHost:
    """A zygote as a child process of the node."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: Path, zygote: ZygoteClient, shape: Shape) -> None:
        self._spare_mb = shape.spare_mb
        self.device = shape.device
        self._process = process
        self.pid = process.pid
        self._folder = folder
        self.zygote = zygote
        self.workroot = str(folder / "work")
        self.data_bytes: int | None = None
        self._gone_s = 0.0
        self._seen: dict[int, float] = {}

    def cpu_seconds(self) -> float:
        """CPU time of the zygote and all below it; what ended between two looks is counted as last seen."""
        now = dict(_tree_cpu(self._process.pid))
        self._gone_s += sum(seconds for pid, seconds in self._seen.items() if pid not in now)
        self._seen = now
        return self._gone_s + sum(now.values())

    def oom_kills(self) -> int:
        """There is no account of this without a cgroup: RLIMIT_DATA makes an allocation fail instead."""
        return 0

    def peak_mb(self) -> float:
        """Resident memory of the largest child, the zygote's own not counted."""
        own = _resident_mb(self._process.pid)
        return max((_resident_mb(pid) - own for pid, _ in _tree_cpu(self._process.pid)), default=0.0)

    def prepare(self, memory_mb: int) -> None:
        """The limit is set when a child is forked: private memory of the zygote plus the job's."""
        self.data_bytes = (memory_mb + 1024 + self._spare_mb) * 2**20

    def reset_peak(self) -> None:
        """Peaks are of living children only."""

    def alive(self) -> bool:
        """Whether the zygote still runs."""
        return self.zygote.answers()

    def destroy(self) -> None:
        """End it and all below it."""
        self.zygote.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


class ProcessEngine:
    """Starts zygotes as child processes."""

    own_uids = os.getuid() == 0

    def connect(self) -> None:
        """Nothing is needed; the interpreter that runs the node is used."""

    def remove_leftovers(self) -> None:
        """Zygotes end with the connection of their node."""

    def start(self, shape: Shape) -> ProcessHost:
        """A warm zygote. Raises Unavailable."""
        folder = Path(tempfile.mkdtemp(prefix="gradus-"))
        work = folder / "work"
        work.mkdir()
        # The children's uids must reach their own folders, and nothing else here.
        folder.chmod(0o711)
        work.chmod(0o1777)
        command = [sys.executable, "-m", "grader.inside.zygote", "--role", shape.role]
        command += ["--socket", str(folder / "control.sock"), "--writable", str(work)]
        command += [] if os.getuid() == 0 else ["--ordinary"]
        command += ["--gpu"] if shape.gpu else []
        try:
            return self._start(command, folder, shape)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise Unavailable(f"a process cell could not be started: {error}") from error

    def _start(self, command: list[str], folder: Path, shape: Shape) -> ProcessHost:
        with listen(folder / "control.sock") as listener:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd="/", env=_environment(shape))
            try:
                control = await_zygote(listener, lambda: "" if process.poll() is None else f"exit {process.poll()}")
            except OSError:
                process.kill()
                process.wait()
                raise
        return ProcessHost(process, folder, ZygoteClient(control), shape)


def _environment(shape: Shape) -> dict[str, str]:
    """What a zygote is given: one GPU or none, whatever the node itself can see."""
    names = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH")
    root = str(Path(__file__).resolve().parent.parent)
    kept = {name: os.environ[name] for name in names if name in os.environ}
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    kept["CUDA_VISIBLE_DEVICES"] = shape.gpu
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}


def _tree_cpu(root: int) -> Iterator[tuple[int, float]]:
    """pid and CPU seconds of a process and everything below it."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            yield pid, (int(fields[11]) + int(fields[12])) / _TICKS
            waiting += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def _resident_mb(pid: int) -> float:
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0
