"""Contains the faults of a cluster. Like those of tests/soak/faults.py, each is a function that acts from outside the service.

A function's docstring says what the fault does, and for some faults what effect it should have.
"""

import os
import random
import shutil
import signal
import time
from contextlib import suppress

from tests.soak import kernel
from tests.soak.cluster.node import FarNode
from tests.soak.cluster.stage import APIS, DATABASE, Cluster
from tests.soak.cluster.wire import HERE, NODE
from tests.soak.faults import BEYOND_S, BRIEF_S, Fault, Missed, kill, stopped
from tests.soak.stage import LEASE_S

# After this many seconds, both sides consider a NATS connection lost, because its pings were not answered.
UNBELIEVED_S = 32.0
AWHILE_S = 0.5
CUT_OFF = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"


def api_killed(cluster: Cluster, chance: random.Random) -> str:
    """Kill a process of the service, and start it again soon, as a supervisor would."""
    number = chance.randrange(APIS)
    told = kill([cluster.apis[number].process.pid])
    cluster.apis[number].process.wait()
    time.sleep(chance.uniform(0.0, AWHILE_S))
    cluster.start_api(number)
    return told


def both_apis_killed(cluster: Cluster, chance: random.Random) -> str:
    """Kill all processes of the service at the same time, and start them again."""
    told = kill([api.process.pid for api in cluster.apis])
    for number, api in enumerate(cluster.apis):
        api.process.wait()
        cluster.start_api(number)
    return told


def api_frozen(cluster: Cluster, chance: random.Random) -> str:
    """Freeze a process of the service with SIGSTOP. Its nodes then join another process, which offers their jobs again."""
    return _freeze([chance.choice(cluster.apis).process.pid], BEYOND_S)


def api_stopped(cluster: Cluster, chance: random.Random) -> str:
    """Stop a process of the service with SIGTERM and start a new one, as in an upgrade."""
    number = chance.randrange(APIS)
    process = cluster.apis[number].process
    process.send_signal(signal.SIGTERM)
    process.wait(60)
    cluster.start_api(number)
    return f"process {process.pid}"


def node_killed(cluster: Cluster, chance: random.Random) -> str:
    """Kill a node that is judging, and start it again with the same token."""
    node = _busy(cluster, chance)
    told = kill([_pid(node)])
    node.kill()
    time.sleep(chance.uniform(0.0, AWHILE_S))
    node.start()
    return f"{node.name}: {told}"


def node_frozen(cluster: Cluster, chance: random.Random) -> str:
    """Freeze a node with SIGSTOP for longer than a lease. Another node judges its jobs, and the frozen node's verdicts come too
    late.
    """
    node = _busy(cluster, chance)
    return f"{node.name}: {_freeze([_pid(node)], BEYOND_S)}"


def node_dozes(cluster: Cluster, chance: random.Random) -> str:
    """Freeze a node with SIGSTOP for less than a lease. This must have no effect, and verdicts must stay the same."""
    node = _busy(cluster, chance)
    return f"{node.name}: {_freeze([_pid(node)], BRIEF_S)}"


def node_stopped(cluster: Cluster, chance: random.Random) -> str:
    """Stop a node, which finishes its jobs first, and start it again, as in an upgrade."""
    node = _busy(cluster, chance)
    node.stop()
    node.start()
    return node.name


def cut_off(cluster: Cluster, chance: random.Random) -> str:
    """Disconnect a node for longer than a lease. It cannot report its results, so another node judges its jobs too."""
    return _cut(cluster, chance, BEYOND_S, HERE, NODE)


def cut_briefly(cluster: Cluster, chance: random.Random) -> str:
    """Disconnect a node for less than a lease. This must have no effect."""
    return _cut(cluster, chance, BRIEF_S, HERE, NODE)


def cut_for_long(cluster: Cluster, chance: random.Random) -> str:
    """Disconnect a node until both sides consider the connection lost."""
    return _cut(cluster, chance, UNBELIEVED_S, HERE, NODE)


def node_unheard(cluster: Cluster, chance: random.Random) -> str:
    """Drop everything that a node sends. It still receives messages."""
    return _cut(cluster, chance, BEYOND_S, NODE)


def node_deaf(cluster: Cluster, chance: random.Random) -> str:
    """Drop everything that is sent to a node. Its own messages still arrive."""
    return _cut(cluster, chance, BEYOND_S, HERE)


def nats_killed(cluster: Cluster, chance: random.Random) -> str:
    """Kill NATS, and start it again soon."""
    return _nats_gone(cluster, chance.uniform(0.0, AWHILE_S))


def nats_away(cluster: Cluster, chance: random.Random) -> str:
    """Kill NATS, and start it again only after longer than a lease. Until it runs again, nodes cannot report outcomes."""
    return _nats_gone(cluster, BEYOND_S)


def nats_emptied(cluster: Cluster, chance: random.Random) -> str:
    """Kill NATS, remove its data, and start it again. The stored reports and all packages are lost."""
    cluster.nats.kill()
    shutil.rmtree(cluster.nats.folder / "store")
    cluster.nats.start()
    return "and its store removed"


def nats_frozen(cluster: Cluster, chance: random.Random) -> str:
    """Freeze NATS with SIGSTOP for longer than a lease. Connections stay open, but nothing arrives."""
    assert cluster.nats.process is not None
    return _freeze(kernel.children(cluster.nats.process.pid), BEYOND_S)


def postgres_killed(cluster: Cluster, chance: random.Random) -> str:
    """Kill all processes of PostgreSQL at the same time, and start it again soon."""
    return _postgres_gone(cluster, chance.uniform(0.0, AWHILE_S))


def postgres_away(cluster: Cluster, chance: random.Random) -> str:
    """Kill PostgreSQL, and start it again only after longer than a lease, so that every lease has expired by then."""
    return _postgres_gone(cluster, BEYOND_S)


def postgres_frozen(cluster: Cluster, chance: random.Random) -> str:
    """Freeze PostgreSQL with SIGSTOP for longer than a lease. Queries do not fail, but get no answer."""
    return _freeze(cluster.postgres.pids(), BEYOND_S)


def connections_cut(cluster: Cluster, chance: random.Random) -> str:
    """Let PostgreSQL close all connections of the service, including those with an open transaction."""
    with cluster.postgres.connect(DATABASE) as database:
        ((count,),) = database.execute(CUT_OFF, [DATABASE])
    return f"{count} connections"


def _busy(cluster: Cluster, chance: random.Random) -> FarNode:
    """Choose a node that is judging. If no node is judging, choose any."""
    return chance.choice(cluster.judging() or cluster.nodes)


def _pid(node: FarNode) -> int:
    if node.pid is None:
        raise Missed
    return node.pid


def _freeze(pids: list[int], seconds: float) -> str:
    for pid in pids[1:]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        with stopped(pids[0]):
            time.sleep(seconds)
    finally:
        for pid in pids[1:]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
    return f"process {pids[0]} for {seconds:g} s"


def _cut(cluster: Cluster, chance: random.Random, seconds: float, *ends: str) -> str:
    node = _busy(cluster, chance)
    if not node.wire.is_there:
        raise Missed
    node.wire.cut(*ends)
    try:
        time.sleep(seconds)
    finally:
        node.wire.mend()
    return f"{node.name} for {seconds:g} s"


def _nats_gone(cluster: Cluster, seconds: float) -> str:
    cluster.nats.kill()
    try:
        time.sleep(seconds)
    finally:
        cluster.nats.start()
    return f"for {seconds:.1f} s"


def _postgres_gone(cluster: Cluster, seconds: float) -> str:
    cluster.postgres.kill()
    try:
        time.sleep(seconds)
    finally:
        cluster.postgres.start()
    return f"for {seconds:.1f} s"


BEYOND = f"for {BEYOND_S:g} s, a lease being {LEASE_S:g} s"
FAULTS = (
    Fault("api killed", "kill -9 of one process of the service, started again", api_killed),
    Fault("both apis killed", "kill -9 of all processes of the service, started again", both_apis_killed),
    Fault("api stopped", "SIGTERM to one process of the service, and a new one", api_stopped),
    Fault("api frozen", f"SIGSTOP of one process of the service {BEYOND}", api_frozen),
    Fault("node killed", "kill -9 of a node that judges, started again", node_killed),
    Fault("node stopped", "SIGTERM to a node that judges, and a new one", node_stopped),
    Fault("node frozen", f"SIGSTOP of a node that judges {BEYOND}", node_frozen),
    Fault("node dozes", f"SIGSTOP of a node that judges for {BRIEF_S:g} s", node_dozes),
    Fault("node cut off", f"no packet between a node and NATS {BEYOND}", cut_off),
    Fault("node cut off briefly", f"no packet between a node and NATS for {BRIEF_S:g} s", cut_briefly),
    Fault("node cut off for long", f"no packet between a node and NATS for {UNBELIEVED_S:g} s", cut_for_long),
    Fault("node unheard", f"no packet from a node to NATS {BEYOND}", node_unheard),
    Fault("node deaf", f"no packet from NATS to a node {BEYOND}", node_deaf),
    Fault("nats killed", "kill -9 of NATS, started again", nats_killed),
    Fault("nats away", f"kill -9 of NATS, away {BEYOND}", nats_away),
    Fault("nats emptied", "kill -9 of NATS, started again on an empty disk", nats_emptied),
    Fault("nats frozen", f"SIGSTOP of NATS {BEYOND}", nats_frozen),
    Fault("postgres killed", "kill -9 of all of PostgreSQL, started again", postgres_killed),
    Fault("postgres away", f"kill -9 of all of PostgreSQL, away {BEYOND}", postgres_away),
    Fault("postgres frozen", f"SIGSTOP of all of PostgreSQL {BEYOND}", postgres_frozen),
    Fault("connections cut", "PostgreSQL ends every connection", connections_cut),
)
