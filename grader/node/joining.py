"""`gradus node`: makes this machine judge for a service on another machine.

The machine needs a token and an outgoing connection to nats-server, but no open port and no database.
"""

import logging
import os
import signal
import socket
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from grader.content.package_cache import PackageCache
from grader.contract import logs
from grader.contract.errors import Unavailable
from grader.contract.nkey import public_key
from grader.contract.subjects import read_token
from grader.doctor.isolation_check import IsolationCheck
from grader.hosts.containers import Engine as DockerEngine
from grader.hosts.machine import gpus
from grader.hosts.machine.facts import labels, limit_memory
from grader.hosts.machine.gpus import Seen
from grader.hosts.processes import ProcessEngine
from grader.node.nats_bridge import NatsBridge
from grader.node.nats_connection import Access
from grader.node.node import Node
from grader.node.settings import Settings

MISUSED, REFUSED = 2, 3
# A package that is unused for this many seconds is removed from the cache. It is fetched again when a job needs it.
KEEP_S = 30 * 24 * 3600.0
LAST_WORDS_S = 30.0
app = typer.Typer(add_completion=False)


@app.callback(invoke_without_command=True)
def node(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    url: Annotated[
        str, typer.Option(envvar="GRADUS_NODE_URL", help="nats-server: nats://host:4222 or tls://host:4222.")
    ],
    token: Annotated[str, typer.Option(envvar="GRADUS_NODE_TOKEN", help="From an admin: gradus nodes token NAME.")],
    slots: Annotated[
        int, typer.Option(min=1, max=1024, help="Number of simultaneous jobs. Default: one per core.")
    ] = os.cpu_count() or 1,
    device: Annotated[
        str, typer.Option(envvar="GRADUS_NODE_DEVICE", help="cpu, or cuda: one slot per GPU, and no others.")
    ] = "cpu",
    only: Annotated[
        str,
        typer.Option(
            "--gpus",
            envvar="GRADUS_NODE_GPUS",
            help="With --device cuda: the UUIDs of GPUs or MIG slices, separated by commas.",
        ),
    ] = "",
    cells: Annotated[str, typer.Option(help="docker; or process, if everyone who submits is trusted.")] = "docker",
    image: Annotated[str, typer.Option(help="The grader image.")] = "gradus-grader:latest",
    data: Annotated[Path, typer.Option(help="Folder in which packages are stored. They are secret.")] = Path(
        "var/node"
    ),
) -> None:
    """Judge for the service until stopped. Ctrl+C or SIGTERM lets it finish its current jobs first."""
    logs.configure("auto")
    logging.getLogger("nats").setLevel(logging.CRITICAL)
    try:
        name, seed = read_token(token)
        public_key(seed)
    except ValueError as error:
        raise _ended(f"this is not a node's token: {error}", MISUSED) from error
    if cells not in ("docker", "process"):
        raise _ended("--cells is docker or process", MISUSED)
    if device not in ("cpu", "cuda") or (only and device == "cpu"):
        raise _ended("--device is cpu or cuda, and --gpus goes with cuda", MISUSED)
    seen = _look(only) if device == "cuda" else Seen()
    slots = max(1, len(seen.gpus)) if device == "cuda" else slots
    settings = replace(_settings(name, slots, cells, image, data), device=device, gpus=seen.gpus)
    if refusal := _serve(Access(url, name, seed), settings, seen):
        raise _ended(refusal, REFUSED)


def _ended(reason: str, code: int) -> typer.Exit:
    typer.echo(f"gradus node: {reason}", err=True)
    return typer.Exit(code)


def _settings(name: str, slots: int, cells: str, image: str, data: Path) -> Settings:
    folder = data.absolute()
    return Settings(
        name=name,
        packages=folder / "challenges",
        kept=folder / "packages",
        slots=slots,
        spares=1,
        image=image if cells == "docker" else "",
        cells=cells,
    )


def _look(only: str) -> Seen:
    """List the GPUs to judge on. If there are none, the reason is returned as `problem`, so that the node can join all the same
    and the admin page can show the reason.
    """
    try:
        return gpus.look(tuple(filter(None, only.split(","))))
    except Unavailable as error:
        return Seen(problem=str(error))


def _no_gpus(seen: Seen) -> None:
    """Raise Unavailable with the reason why there are no GPUs. A node that should have GPUs but has none runs this instead of
    the isolation check.
    """
    raise Unavailable(f"{seen.problem}. Fix that, then start the node again")


def _serve(access: Access, settings: Settings, seen: Seen) -> str:
    """Run the node and its bridge to the service until they end. Returns the reason if the bridge ended because of a rejection
    or an error, otherwise an empty string.
    """
    kept = PackageCache(settings.kept)
    kept.sweep((), KEEP_S)
    near, far = socket.socketpair()
    bridge = NatsBridge(
        access, far, kept, {**labels(settings.image), **({"driver": seen.driver} if seen.driver else {})}
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: bridge.drain())
    bridge.start()
    _node(settings, near, seen).serve()
    near.close()
    bridge.join(LAST_WORDS_S)
    return bridge.refusal


def _node(settings: Settings, connection: socket.socket, seen: Seen) -> Node:
    if settings.device == "cuda" and not seen.gpus:
        return Node(settings, ProcessEngine(), connection, lambda: _no_gpus(seen))
    if settings.cells == "process":
        return Node(settings, ProcessEngine(), connection)
    limit_memory(settings.slots)
    engine = DockerEngine(image=settings.image, label=f"{settings.name}@{settings.kept}")
    return Node(settings, engine, connection, IsolationCheck(settings.image).check)


if __name__ == "__main__":
    app()
