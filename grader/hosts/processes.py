"""Runs zygotes as plain processes, for machines without Docker (a laptop, a GPU host without an engine).

The interface is that of containers.py, but jobs are isolated less. Each job has namespaces of its own where the machine allows
that, and sees the machine's files read-only. RLIMIT_DATA replaces the memory cgroup, and CPU time is read from /proc. If the
node is root, children get another uid. A service that uses such cells listens on localhost only.
"""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from grader.contract.errors import Unavailable
from grader.hosts.host import HUGE_PAGES, SHM, TMP, Isolation, Shape, await_zygote, listen
from grader.hosts.machine.tasks import Tree
from grader.hosts.uids import Uids
from grader.hosts.zygote_client import ZygoteClient
from grader.inside.confine.namespaces import Tmpfs


class ProcessHost:
    """A zygote that runs as a child process of the node."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        folder: Path,
        zygote: ZygoteClient,
        shape: Shape,
        release: Callable[[], None],
    ) -> None:
        self._release = release
        self._spare_mb = shape.spare_mb
        self.device = shape.device
        self._process = process
        self.pid = process.pid
        self._folder = folder
        self.zygote = zygote
        self.isolation: Isolation = "process" if zygote.isolation_problem() else "namespaces"
        self.workroot = str(folder / "work")
        self.data_bytes: int | None = None
        self._tree = Tree(process.pid)
        self._gone_s = 0.0
        self._seen: dict[int, float] = {}

    def cpu_seconds(self) -> float:
        """Return the CPU seconds of the zygote and its descendants. A process that has ended counts with the value that it had
        at the last call before its end.
        """
        now = dict(self._tree.each())
        self._gone_s += sum(seconds for pid, seconds in self._seen.items() if pid not in now)
        self._seen = now
        return self._gone_s + sum(now.values())

    def runs(self) -> bool | None:
        """Return whether the zygote or a descendant is running or ready to run; None if no thread could be read."""
        return self._tree.runs()

    def find(self, pid: int) -> Tree | None:
        """Return the process with this pid. The zygote has no pid namespace of its own, so no search is needed."""
        return Tree(pid)

    def oom_kills(self) -> int:
        """Return 0, because kills cannot be counted without a cgroup. RLIMIT_DATA makes allocations fail instead."""
        return 0

    def peak_mb(self) -> float:
        """Return the current resident memory of the largest process, in MiB, without the memory that the zygote itself uses."""
        own = _resident_mb(self._process.pid)
        return max((_resident_mb(pid) - own for pid, _ in self._tree.each()), default=0.0)

    def read_idle_memory(self) -> None:
        """Do nothing: `peak_mb` looks at each process."""

    def prepare(self, memory_mb: int) -> None:
        """Set the next child's limit on private memory (RLIMIT_DATA): `memory_mb` for the job, 1024 MiB for the memory that the
        child inherits from the zygote, and `spare_mb`.
        """
        self.data_bytes = (memory_mb + 1024 + self._spare_mb) * 2**20

    def reset_peak(self) -> bool:
        """Return False: `peak_mb` only looks at processes that still run, and reports no peak."""
        return False

    def alive(self) -> bool:
        """Return whether the zygote still answers."""
        return self.zygote.answers()

    def destroy(self) -> None:
        """End the zygote and its descendants."""
        # First what the jobs have left running: it has no parent any more that would end it.
        self._tree.kill_below()
        self.zygote.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._release()


class ProcessEngine:
    """Starts zygotes as child processes."""

    def __init__(self) -> None:
        self._uids: Uids | None = None

    def connect(self) -> None:
        """Reserve uids for the jobs, if this node is root. There is no engine to connect to."""
        if os.getuid() == 0:
            self._uids = self._uids or Uids()

    def remove_leftovers(self) -> None:
        """Do nothing: a zygote ends when its connection to the node closes, so none is left behind."""

    def start(self, shape: Shape) -> ProcessHost:
        """Start a zygote and wait until it is warm. Raises Unavailable."""
        folder = Path(tempfile.mkdtemp(prefix="gradus-"))
        work = folder / "work"
        work.mkdir()
        # Children run as other uids. They must be able to enter their own folders, but not to list any other folder here.
        folder.chmod(0o711)
        work.chmod(0o1777)
        uid = self._uids.take() if self._uids else os.getuid()
        release = functools.partial(self._release, uid)
        command = [sys.executable, "-m", "grader.inside.zygote.main", "--role", shape.role, "--uid", str(uid)]
        command += ["--socket", str(folder / "control.sock")]
        for own in (Tmpfs(str(work), shape.tmp_mb, TMP), Tmpfs("/dev/shm", shape.shm_mb, SHM)):
            command += ["--own", str(own)]
        command += ["--gpu"] if shape.gpu else []
        try:
            return self._start(command, folder, shape, release)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            release()
            raise Unavailable(f"a process cell could not be started: {error}") from error

    def _release(self, uid: int) -> None:
        if self._uids:
            self._uids.give_back(uid)

    def _start(self, command: list[str], folder: Path, shape: Shape, release: Callable[[], None]) -> ProcessHost:
        with listen(folder / "control.sock") as listener:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd="/", env=_environment(shape))
            try:
                ended = lambda: "" if process.poll() is None else f"exit {process.poll()}"  # noqa: E731
                control = await_zygote(listener, ended, Tree(process.pid))
            except OSError:
                process.kill()
                process.wait()
                raise
        return ProcessHost(process, folder, ZygoteClient(control, Tree(process.pid)), shape, release)


def _environment(shape: Shape) -> dict[str, str]:
    """Return a zygote's environment variables. They show the zygote only the GPU that `shape` names, or none."""
    names = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH")
    root = str(Path(__file__).resolve().parents[2])
    kept = {name: os.environ[name] for name in names if name in os.environ}
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    kept["CUDA_VISIBLE_DEVICES"] = shape.gpu
    return {**kept, **HUGE_PAGES, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}


def _resident_mb(pid: int) -> float:
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0
