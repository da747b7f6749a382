"""The faults, each a small function that does its harm from outside: signals, a full disk, a clock, a cut connection.

A fault returns what it hit, in words. Whatever it holds (a stopped process, a full disk) it lets go before it returns.
None of them goes through the product: what dies is not asked, and nothing in the service knows that it is tested.
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
    """There was nothing to hit."""


@dataclass(frozen=True)
class Fault:
    """One kind, for the ground that `strike` is called with. `ends_children`: a candidate's process may die by it, which
    nobody can tell from its own doing.
    """

    name: str
    what: str
    strike: Callable[[Any, random.Random], str]
    ends_children: bool = False


def kill(pids: list[int]) -> str:
    """SIGKILL to all of them; raises Missed when there are none."""
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
    """A process stands still while the block runs."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def api_killed(stage: Stage, chance: random.Random) -> str:
    """Killed, and started again as a supervisor would."""
    pid = stage.api_pid
    stage.kill_api()
    time.sleep(chance.uniform(0.0, 0.5))
    stage.start()
    return f"process {pid}"


def node_killed(stage: Stage, chance: random.Random) -> str:
    """The service starts it again by itself."""
    return kill([_node(stage)])


def judge_killed(stage: Stage, chance: random.Random) -> str:
    """Process 1 of the judge's container, with everything in it."""
    return kill(stage.zygotes("judge")[:1])


def cell_killed(stage: Stage, chance: random.Random) -> str:
    """Process 1 of the cell that has worked most."""
    return kill(stage.zygotes("cell")[:1])


def candidate_killed(stage: Stage, chance: random.Random) -> str:
    """The process that runs somebody's answer."""
    return kill([pid for zygote in stage.zygotes("cell")[:1] for pid in kernel.children(zygote)[:1]])


def waiting_child_killed(stage: Stage, chance: random.Random) -> str:
    """A process that waits in a spare cell for the next answer and has seen none; a cell that warms gets a moment for it."""
    told: list[str] = []

    def struck() -> bool:
        with suppress(Missed):
            told.append(kill([pid for zygote in stage.zygotes("cell")[-1:] for pid in kernel.children(zygote)[:1]]))
        return bool(told)

    if not wait_until(struck, WARM_S):
        raise Missed
    return told[0]


def package_parents_killed(stage: Stage, chance: random.Random) -> str:
    """Every package that is loaded in the judge."""
    return kill([parent for zygote in stage.zygotes("judge") for parent in kernel.children(zygote)])


def judge_children_killed(stage: Stage, chance: random.Random) -> str:
    """Every process that runs hidden tests, or waits to."""
    parents = [parent for zygote in stage.zygotes("judge") for parent in kernel.children(zygote)]
    return kill([child for parent in parents for child in kernel.children(parent)])


def node_frozen(stage: Stage, chance: random.Random) -> str:
    """For longer than a lease: what it judges is given out again, and its judgement comes late."""
    return _freeze(_node(stage), BEYOND_S)


def node_dozes(stage: Stage, chance: random.Random) -> str:
    """For less than a lease: nobody may notice, and no candidate may pay."""
    return _freeze(_node(stage), BRIEF_S)


def api_frozen(stage: Stage, chance: random.Random) -> str:
    """For longer than a lease: heartbeats pile up unread."""
    return _freeze(stage.api_pid, BEYOND_S)


def connection_cut(stage: Stage, chance: random.Random) -> str:
    """Between service and node, both alive."""
    descriptors = kernel.connections(stage.api_pid, stage.data / "run" / "node.sock")
    if not descriptors:
        raise Missed
    for descriptor in descriptors:
        kernel.cut(stage.api_pid, descriptor)
    return f"descriptor {', '.join(map(str, descriptors))} of the service"


def disk_full(stage: Stage, chance: random.Random) -> str:
    """Nothing can be written where the database is, log included."""
    with kernel.no_room(stage.data, stage.mounted, stage.api_pid):
        time.sleep(NO_ROOM_S)
    return f"no room for {NO_ROOM_S:g} s"


def clock_forward(stage: Stage, chance: random.Random) -> str:
    """Every lease has run out at once."""
    return _shift(stage, HOUR_S)


def clock_back(stage: Stage, chance: random.Random) -> str:
    """What was written a moment ago lies in the future."""
    return _shift(stage, -2 * HOUR_S)


def engine_killed(stage: Stage, chance: random.Random) -> str:
    """The Docker engine that our script started, and started again with that script."""
    return kill_engine(ROOT / "deploy" / "docker-engine.sh")


def kill_engine(script: Path) -> str:
    """SIGKILL to the engine on DOCKER_HOST, a moment without, and the script again."""
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
    wait_until(lambda: False, 1.1)  # the library looks at its file once a second
    return f"by {seconds / HOUR_S:+g} h"


FAULTS = (
    Fault("api killed", "kill -9 of the service, started again", api_killed),
    Fault("node killed", "kill -9 of the node", node_killed),
    Fault("judge killed", "kill -9 of the judge's zygote", judge_killed),
    Fault("cell killed", "kill -9 of a cell's zygote", cell_killed),
    Fault("candidate killed", "kill -9 of a candidate's process", candidate_killed, ends_children=True),
    # It may have been given its answer just before: the node hands cells on faster than anybody can look.
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
