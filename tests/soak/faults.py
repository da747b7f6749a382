"""Contains the faults of the soak: killed and frozen processes, a full disk, a changed clock, and a cut connection.

Each fault is a function that returns a description of what it hit. A temporary fault, such as a frozen process or a full disk,
has ended when its function returns. All faults use only means of the operating system: the service contains no code for them.
"""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.soak import kernel
from tests.soak.stage import LEASE_S, SWEEP_S, Stage, wait_until

ROOT = Path(__file__).resolve().parents[2]
BEYOND_S = LEASE_S + 2 * SWEEP_S
BRIEF_S = 3.0
NO_ROOM_S = 3.0
WARM_S = 10.0
HOUR_S = 3600


class Missed(Exception):
    """Raised if the fault cannot happen, because its target does not exist at the moment."""


@dataclass(frozen=True)
class Fault:
    """A kind of fault. `ends_children` says whether the fault can kill a process that runs an answer, which looks as if the
    answer had crashed.
    """

    name: str
    what: str
    strike: Callable[[Any, random.Random], str]
    ends_children: bool = False


def kill(pids: list[int]) -> str:
    """Send SIGKILL to all these processes. Raise Missed if none of them exists. Return a description for the report."""
    hit = []
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            hit.append(str(pid))
    if not hit:
        raise Missed
    return f"process {', '.join(hit)}"


@contextmanager
def stopped(pid: int) -> Any:
    """Freeze a process with SIGSTOP during the `with` block."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def api_killed(stage: Stage, chance: random.Random) -> str:
    """Kill the service, and start it again soon, as a supervisor would."""
    pid = stage.api_pid
    stage.kill_api()
    time.sleep(chance.uniform(0.0, 0.5))
    stage.start()
    return f"process {pid}"


def node_killed(stage: Stage, chance: random.Random) -> str:
    """Kill the node. The service restarts it."""
    return kill([_node(stage)])


def judge_killed(stage: Stage, chance: random.Random) -> str:
    """Kill process 1 of the judge's container, which ends all processes in the container."""
    return kill(stage.zygotes("judge")[:1])


def cell_killed(stage: Stage, chance: random.Random) -> str:
    """Kill process 1 of the cell that has used the most CPU time."""
    return kill(stage.zygotes("cell")[:1])


def candidate_killed(stage: Stage, chance: random.Random) -> str:
    """Kill a process that runs an answer, in the cell that has used the most CPU time."""
    return kill([pid for zygote in stage.zygotes("cell")[:1] for pid in kernel.children(zygote)[:1]])


def waiting_child_killed(stage: Stage, chance: random.Random) -> str:
    """Kill the waiting child of a spare cell: a process that waits for an answer to run. If there is none, wait up to WARM_S
    seconds for a cell to create one.
    """
    told: list[str] = []

    def struck() -> bool:
        with suppress(Missed):
            told.append(kill([pid for zygote in stage.zygotes("cell")[-1:] for pid in kernel.children(zygote)[:1]]))
        return bool(told)

    if not wait_until(struck, WARM_S):
        raise Missed
    return told[0]


def package_parents_killed(stage: Stage, chance: random.Random) -> str:
    """Kill the parent processes of all challenge packages that are loaded in the judge."""
    return kill([parent for zygote in stage.zygotes("judge") for parent in kernel.children(zygote)])


def judge_children_killed(stage: Stage, chance: random.Random) -> str:
    """Kill every process that runs hidden tests, or waits to run them."""
    parents = [parent for zygote in stage.zygotes("judge") for parent in kernel.children(zygote)]
    return kill([child for parent in parents for child in kernel.children(parent)])


def node_frozen(stage: Stage, chance: random.Random) -> str:
    """Freeze the node with SIGSTOP for longer than a lease. Its jobs are handed out again, and its judgements come too late."""
    return _freeze(_node(stage), BEYOND_S)


def node_dozes(stage: Stage, chance: random.Random) -> str:
    """Freeze the node with SIGSTOP for less than a lease. This must have no effect, and verdicts must stay the same."""
    return _freeze(_node(stage), BRIEF_S)


def api_frozen(stage: Stage, chance: random.Random) -> str:
    """Freeze the service with SIGSTOP for longer than a lease. During this time, it reads no heartbeats from its node."""
    return _freeze(stage.api_pid, BEYOND_S)


def connection_cut(stage: Stage, chance: random.Random) -> str:
    """Cut the connection between the service and the node, which both keep running."""
    descriptors = kernel.connections(stage.api_pid, stage.data / "run" / "node.sock")
    if not descriptors:
        raise Missed
    for descriptor in descriptors:
        kernel.cut(stage.api_pid, descriptor)
    return f"descriptor {', '.join(map(str, descriptors))} of the service"


def disk_full(stage: Stage, chance: random.Random) -> str:
    """Fill the disk that contains the database and its log, so that nothing can be written."""
    with kernel.no_room(stage.data, stage.mounted, stage.api_pid):
        time.sleep(NO_ROOM_S)
    return f"no room for {NO_ROOM_S:g} s"


def clock_forward(stage: Stage, chance: random.Random) -> str:
    """Set the service's clock an hour ahead, so that every lease has expired."""
    return _shift(stage, HOUR_S)


def clock_back(stage: Stage, chance: random.Random) -> str:
    """Set the service's clock two hours back, so that stored times are in the future."""
    return _shift(stage, -2 * HOUR_S)


def engine_killed(stage: Stage, chance: random.Random) -> str:
    """Kill the Docker engine, and start it again with deploy/docker-engine.sh."""
    return kill_engine(ROOT / "deploy" / "docker-engine.sh")


def kill_engine(script: Path) -> str:
    """Kill the Docker engine on DOCKER_HOST, wait for a second, then run the script that starts the engine."""
    address = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    pids = [
        pid for pid in kernel.processes() if f"-H {address}" in (line := kernel.command_line(pid)) and "docker" in line
    ]
    told = kill([pid for pid in pids if kernel.command_line(pid).split()[0].endswith("dockerd")])
    time.sleep(1.0)
    subprocess.run(["bash", str(script), "start"], check=True, capture_output=True)
    return told


def _node(stage: Stage) -> int:
    pid = stage.node_pid()
    if pid is None:
        raise Missed
    return pid


def _freeze(pid: int, seconds: float) -> str:
    with stopped(pid):
        time.sleep(seconds)
    return f"process {pid} for {seconds:g} s"


def _shift(stage: Stage, seconds: int) -> str:
    stage.set_clock(stage.shift_s + seconds)
    wait_until(lambda: False, 1.1)  # libfaketime reads the new time from its file once a second
    return f"by {seconds / HOUR_S:+g} h"


FAULTS = (
    Fault("api killed", "kill -9 of the service, started again", api_killed),
    Fault("node killed", "kill -9 of the node", node_killed),
    Fault("judge killed", "kill -9 of the judge's zygote", judge_killed),
    Fault("cell killed", "kill -9 of a cell's zygote", cell_killed),
    Fault("candidate killed", "kill -9 of a candidate's process", candidate_killed, ends_children=True),
    # A process may receive an answer to run just before it is killed.
    Fault("waiting child killed", "kill -9 of a process that waits", waiting_child_killed, ends_children=True),
    Fault("package parents killed", "kill -9 of all packages in the judge", package_parents_killed),
    Fault("judge children killed", "kill -9 of everything that runs hidden tests", judge_children_killed),
    Fault("node frozen", f"SIGSTOP of the node for {BEYOND_S:g} s, a lease being {LEASE_S:g} s", node_frozen),
    Fault("node dozes", f"SIGSTOP of the node for {BRIEF_S:g} s", node_dozes),
    Fault("api frozen", f"SIGSTOP of the service for {BEYOND_S:g} s", api_frozen),
    Fault("connection cut", "shutdown of the socket between service and node", connection_cut),
    Fault("disk full", f"no room for the database for {NO_ROOM_S:g} s", disk_full),
    Fault("clock forward", "the service's wall clock jumps an hour ahead", clock_forward),
    Fault("clock back", "the service's wall clock jumps two hours back", clock_back),
    Fault("engine killed", "kill -9 of the Docker engine, started again", engine_killed),
)
