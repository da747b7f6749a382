"""`python -m grader`: the node process that the service starts."""

import argparse
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from grader import logs, workbench
from grader.cgroup import SHARES
from grader.containers import Engine as DockerEngine
from grader.doctor.gate import Gate
from grader.errors import Unavailable
from grader.hosts import Engine
from grader.node import Node, Settings
from grader.processes import ProcessEngine
from grader.proving.prover import Prover, command
from grader.transport import FromNode


def main(arguments: list[str] | None = None) -> int:
    """Dial the service and serve until it is gone."""
    parser = argparse.ArgumentParser(prog="python -m grader")
    parser.add_argument("--socket", required=True, help="the service's Unix socket")
    parser.add_argument("--packages", required=True, type=Path, help="folder of challenges")
    parser.add_argument("--kept", type=Path, help="folder of versions by digest; none are read without it")
    parser.add_argument("--name", default="local")
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--spares", type=int, default=1)
    parser.add_argument("--cell-uses", type=int, default=200)
    parser.add_argument("--cells", choices=("docker", "process"), default="docker")
    parser.add_argument("--cpu-shares", type=int, default=SHARES, help="what all cells together weigh, of 1024")
    parser.add_argument("--image", default="gradus-grader:latest")
    parser.add_argument("--log-format", choices=("auto", "json", "text"), default="auto")
    parser.add_argument("--clean-up", action="store_true", help="only remove what a node that was killed has left")
    options = parser.parse_args(arguments)
    logs.configure(options.log_format)
    # Two services on one host must not take each other's containers for leftovers.
    label = f"{options.name}@{Path(options.socket).resolve()}"
    if options.clean_up:
        return clean_up(options.image, label)
    settings = Settings(
        name=options.name,
        packages=options.packages,
        kept=options.kept or options.packages / ".versions",
        slots=options.slots,
        spares=options.spares,
        cell_uses=options.cell_uses,
        image=options.image if options.cells == "docker" else "",
        cells=options.cells,
    )
    # A terminal's Ctrl-C reaches the whole process group; the service decides when its node drains.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(options.socket)
    prover = _prover(options.cells, options.image, label, options.cpu_shares)
    if options.cells == "process":
        # Weaker walls by choice: the service then serves this machine only.
        engine: Engine = ProcessEngine()
        node = Node(settings, engine, connection, prover=prover)
    else:
        engine = DockerEngine(image=options.image, label=label, cpu_shares=options.cpu_shares)
        node = Node(settings, engine, connection, Gate(options.image).check, prover)
    signal.signal(signal.SIGTERM, lambda *_: node.end())
    node.serve()
    return 0


def _prover(cells: str, image: str, label: str, shares: int) -> Callable[[Callable[[FromNode], None]], Prover]:
    """How the node gets what runs the gate: its containers have a label of their own."""
    engine = workbench.engine(cells, image, _of_the_gate(label))
    return lambda send: Prover(command(cells, image, _of_the_gate(label), shares), engine, send)


def _of_the_gate(label: str) -> str:
    return f"gate of {label}"


def clean_up(image: str, label: str) -> int:
    """Remove the containers of a node that can no longer do it; exit code 1 while the engine does not answer."""
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
