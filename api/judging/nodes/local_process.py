"""Runs the local node as a child process: starts it, restarts it when it exits, and stops it. The process gets none of the
service's secrets.
"""

import asyncio
import contextlib
import sys
import time

import structlog

from api.judging.dispatch.connected_nodes import Nodes
from api.kit.supervised_task import SupervisedTask, pause
from api.settings import Settings, plain_environment

log = structlog.get_logger()
FIRST_PAUSE_S, LONGEST_PAUSE_S, STEADY_S = 0.5, 30.0, 60.0
# Seconds between SIGTERM and SIGKILL when the node is stopped. A busy Docker engine needs this long to remove all containers of
# the node. If the node is killed earlier, its containers stay until they are removed by the next node that starts.
TERMINATE_WITHIN_S = 20.0


class NodeProcess:
    """Keeps one `python -m grader` process running."""

    def __init__(self, settings: Settings, nodes: Nodes) -> None:
        self._settings, self._nodes = settings, nodes
        self._process: asyncio.subprocess.Process | None = None
        self._supervised = SupervisedTask(self._run)

    @property
    def pid(self) -> int | None:
        """The node's process id, or None if it is not running."""
        return self._process.pid if self._process and self._process.returncode is None else None

    def start(self) -> None:
        self._supervised.start()

    async def stop(self) -> None:
        """Stop the node process with SIGTERM or, if it does not exit in time, with SIGKILL. Stop the dispatcher first: it lets
        the node finish its jobs.
        """
        await self._supervised.stop()
        if self._process is not None and not await _ended_well(self._process):
            await self._clean_up()

    async def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            started = time.monotonic()
            self._nodes.process_reason = "The local grading node is starting."
            self._process = await self._spawn()
            code = await self._process.wait()
            pause_s = FIRST_PAUSE_S if time.monotonic() - started > STEADY_S else min(2 * pause_s, LONGEST_PAUSE_S)
            self._nodes.process_reason = f"The local grading node ended with code {code}; it is started again."
            log.error("node_process_ended", code=code, restart_in_s=pause_s)
            await pause(pause_s)

    async def _clean_up(self) -> None:
        """Remove the containers of a node that had to be killed. Otherwise they would stay until the next node starts."""
        if self._settings.node_cells != "docker":
            return
        process = await asyncio.create_subprocess_exec(
            *command(self._settings), "--clean-up", env=plain_environment(), stdin=asyncio.subprocess.DEVNULL
        )
        try:
            await asyncio.wait_for(process.wait(), TERMINATE_WITHIN_S)
        except TimeoutError:
            process.kill()
            await process.wait()
        log.warning("node_process_killed", cleaned_up=process.returncode == 0)

    async def _spawn(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            *command(self._settings),
            env=plain_environment(),
            stdin=asyncio.subprocess.DEVNULL,
            # The node runs in a session of its own, so Ctrl+C at the terminal reaches only the service. The service then lets
            # the node finish its jobs.
            start_new_session=True,
        )
        log.info("node_process_started", pid=process.pid)
        return process


def command(settings: Settings) -> list[str]:
    """Return the command line of the node."""
    parts = [sys.executable, "-m", "grader", "--socket", str(settings.socket)]
    parts += ["--packages", str(settings.challenges_dir.absolute()), "--slots", str(settings.node_slots)]
    parts += ["--kept", str(settings.kept), "--cells", settings.node_cells]
    parts += ["--cpu-shares", str(settings.node_cpu_shares)]
    parts += ["--log-format", settings.log_format]
    return [*parts, "--image", settings.node_image] if settings.node_image else parts


async def _ended_well(process: asyncio.subprocess.Process) -> bool:
    """Stop the process. Returns whether it exited with code 0, and was not ended by a signal."""
    for signal in (process.terminate, process.kill):
        if process.returncode is not None:
            break
        with contextlib.suppress(ProcessLookupError):
            signal()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), TERMINATE_WITHIN_S)
    return process.returncode == 0
