"""Runs the authoring gate for the challenges that teams write. The gate checks a challenge before it is served. Each run is a
separate process with a time limit, and there is one run at a time.
"""

import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from grader.contract.errors import Unavailable
from grader.contract.transport import FromNode, Prove, Proved, Proving
from grader.hosts.host import Engine
from grader.judging.slots.lane import Lane

LONGEST_S = 900.0
END_S = 10.0
LINES: msgspec.json.Decoder[Proving | Proved] = msgspec.json.Decoder(Proving | Proved)


@dataclass
class Run:
    """A run of the gate that is in progress, with the request that started it."""

    asked: Prove
    process: "subprocess.Popen[bytes]"


class GateRunner:
    """Starts and cancels runs of the gate. `command` is the command line that starts a run. `engine` removes containers that a
    killed run left behind. While a run judges, `lane` lets no answer be measured.
    """

    def __init__(self, command: list[str], engine: Engine, send: Callable[[FromNode], None], lane: Lane) -> None:
        self._command, self._engine, self._send, self._lane = command, engine, send, lane
        self._lock = threading.Lock()
        self._run: Run | None = None
        self._closed = False

    def take(self, asked: Prove) -> None:
        """Start a run. Exactly one Proved is sent: when the run ends, or immediately if the run cannot be started."""
        with self._lock:
            if self._run is not None or self._closed:
                self._send(_failed(asked, "the node proves another challenge at this moment"))
                return
            pipe = subprocess.PIPE
            process = subprocess.Popen(self._command, start_new_session=True, stdin=pipe, stdout=pipe, stderr=pipe)
            self._run = Run(asked, process)
            threading.Thread(target=self._follow, args=[self._run], name="prove", daemon=True).start()

    def cancel(self, token: str) -> bool:
        """Kill the run with this token. Returns False if there is no such run."""
        with self._lock:
            run = self._run if self._run is not None and self._run.asked.token == token else None
        if run is not None:
            run.process.kill()
        return run is not None

    def remove_leftovers(self) -> None:
        """Remove the containers of a run that ended without removing them."""
        with suppress(Unavailable):
            self._engine.connect()
            self._engine.remove_leftovers()

    def close(self) -> None:
        """End the current run, and refuse further ones."""
        with self._lock:
            self._closed = True
            run = self._run
        if run is not None:
            run.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                run.process.wait(END_S)
            run.process.kill()
            self.remove_leftovers()

    def _follow(self, run: Run) -> None:
        late = threading.Timer(LONGEST_S, run.process.kill)
        late.start()
        try:
            with self._lane.job():
                end = self._told(run)
        except (OSError, msgspec.MsgspecError) as error:
            end = _failed(run.asked, f"the gate broke off: {error}"[:300])
        finally:
            late.cancel()
            run.process.kill()
            run.process.wait()
        if run.process.returncode:
            self.remove_leftovers()
        with self._lock:
            self._run = None
        self._send(end)

    def _told(self, run: Run) -> Proved:
        """Send the challenge's files to the run, and forward the run's progress messages to the service. Returns the result of
        the run.
        """
        stdin, stdout, stderr = run.process.stdin, run.process.stdout, run.process.stderr
        if stdin is None or stdout is None or stderr is None:
            raise OSError("a pipe is missing")
        asked, end = run.asked, None
        with suppress(BrokenPipeError), stdin:
            # A GateRequest. The gate imports torch, which the node does without, so it is not imported here.
            stdin.write(msgspec.json.encode({"slug": asked.slug, "files": asked.files}))
        for line in stdout:
            message = replace(LINES.decode(line), id=asked.id, token=asked.token)
            if isinstance(message, Proved):
                end = message
            else:
                self._send(message)
        said = stderr.read(2000).decode(errors="replace").strip().rpartition("\n")[2]
        code = run.process.wait()
        if end is not None and code == 0:
            return end
        return _failed(asked, said[:300] or f"the gate took more than {LONGEST_S / 60:.0f} minutes, or was ended")


def _failed(asked: Prove, reason: str) -> Proved:
    return Proved(asked.id, asked.token, passed=False, fault=reason)


def command(cells: str, image: str, label: str, cpu_shares: int) -> list[str]:
    """Build the command line with which the gate is run."""
    chosen = ["--cells", cells, "--image", image, "--label", label, "--cpu-shares", str(cpu_shares)]
    return [sys.executable, "-m", "grader.gate.team_run", *chosen]
