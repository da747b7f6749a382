"""Runs a node: the service starts this program as `python -m grader`."""

import argparse
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from grader.contract import logs
from grader.contract.errors import Unavailable
from grader.contract.transport import FromNode
from grader.doctor.isolation_check import IsolationCheck
from grader.hosts.cgroup import SHARES
from grader.hosts.containers import Engine as DockerEngine
from grader.hosts.host import Engine
from grader.hosts.machine.facts import limit_memory
from grader.hosts.processes import ProcessEngine
from grader.judging import workbench
from grader.judging.slots.lane import Lane
from grader.node.gate_runner import GateRunner, command
from grader.node.node import Node
from grader.node.settings import Settings


def main(arguments: list[str] | None = None) -> int:
    """Run a node until its connection to the service is closed, or, with --clean-up, only remove containers.

    Returns the exit code of the process.
    """
    parser = argparse.ArgumentParser(prog="python -m grader")
    parser.add_argument("--socket", required=True, help="the service's Unix socket")
    parser.add_argument("--packages", required=True, type=Path, help="folder of challenges")
    parser.add_argument("--kept", type=Path, help="folder of stored versions, by digest; without it, none are read")
    parser.add_argument("--name", default="local")
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--spares", type=int, default=1)
    parser.add_argument("--cells", choices=("docker", "process"), default="docker")
    parser.add_argument("--cpu-shares", type=int, default=SHARES, help="CPU weight of all cells together, out of 1024")
    parser.add_argument("--image", default="gradus-grader:latest")
    parser.add_argument("--log-format", choices=("auto", "json", "text"), default="auto")
    parser.add_argument("--clean-up", action="store_true", help="only remove the containers of a killed node")
    options = parser.parse_args(arguments)
    logs.configure(options.log_format)
    # The label contains the socket's path, so that two services on one machine do not remove each other's containers.
    label = f"{options.name}@{Path(options.socket).resolve()}"
    if options.clean_up:
        return clean_up(options.image, label)
    settings = Settings(
        name=options.name,
        packages=options.packages,
        kept=options.kept or options.packages / ".versions",
        slots=options.slots,
        spares=options.spares,
        image=options.image if options.cells == "docker" else "",
        cells=options.cells,
    )
    # Ctrl-C in a terminal reaches the whole process group. The node ignores it, because only the service decides when its node
    # drains.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(options.socket)
    gate_runner = _gate_runner(options.cells, options.image, label, options.cpu_shares)
    if options.cells == "process":
        # The operator chose plain processes as cells, which isolate jobs less than containers. In this case the service only
        # accepts connections from this machine.
        engine: Engine = ProcessEngine()
        node = Node(settings, engine, connection, gate_runner=gate_runner)
    else:
        limit_memory(options.slots)
        engine = DockerEngine(image=options.image, label=label, cpu_shares=options.cpu_shares)
        node = Node(settings, engine, connection, IsolationCheck(options.image).check, gate_runner)
    signal.signal(signal.SIGTERM, lambda *_: node.end())
    node.serve()
    return 0


def _gate_runner(
    cells: str, image: str, label: str, shares: int
) -> Callable[[Callable[[FromNode], None], Lane], GateRunner]:
    """Return a function that creates the node's gate runner. The gate's containers have a separate label."""
    engine = workbench.engine(cells, image, _of_the_gate(label))
    return lambda send, lane: GateRunner(command(cells, image, _of_the_gate(label), shares), engine, send, lane)


def _of_the_gate(label: str) -> str:
    return f"gate of {label}"


def clean_up(image: str, label: str) -> int:
    """Remove the containers of a node that was killed. Returns the exit code: 1 if the engine does not answer, otherwise 0."""
    for each in (label, _of_the_gate(label)):
        engine = DockerEngine(image=image, label=each)
        try:
            engine.connect()
        except Unavailable as error:
            print(error, file=sys.stderr)
            return 1
        engine.remove_leftovers()
    return 0


if __name__ == "__main__":
    sys.exit(main())
