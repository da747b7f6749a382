"""`gradus node`: this machine judges for a service elsewhere. One command, one token; it needs no way in and no database."""

import logging
import os
import signal
import socket
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from grader import gpus, logs
from grader.containers import Engine as DockerEngine
from grader.doctor.gate import Gate
from grader.errors import Unavailable
from grader.gpus import Seen
from grader.kept import Kept
from grader.line import Access
from grader.machine import labels
from grader.nats import Bridge
from grader.nkey import public_key
from grader.node import Node, Settings
from grader.processes import ProcessEngine
from grader.subjects import read_token

MISUSED, REFUSED = 2, 3
# Of a package that no job has asked for in so long, the file goes; it is fetched again when one does.
KEEP_S = 30 * 24 * 3600.0
LAST_WORDS_S = 30.0
app = typer.Typer(add_completion=False)


@app.callback(invoke_without_command=True)
def node(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    url: Annotated[
        str, typer.Option(envvar="GRADUS_NODE_URL", help="nats-server: nats://host:4222 or tls://host:4222.")
    ],
    token: Annotated[str, typer.Option(envvar="GRADUS_NODE_TOKEN", help="From an admin: gradus nodes token NAME.")],
    slots: Annotated[int, typer.Option(min=1, max=1024, help="Jobs at a time; one a core.")] = os.cpu_count() or 1,
    device: Annotated[
        str, typer.Option(envvar="GRADUS_NODE_DEVICE", help="cpu, or cuda: a slot for each GPU, and nothing else.")
    ] = "cpu",
    only: Annotated[
        str,
        typer.Option(
            "--gpus",
            envvar="GRADUS_NODE_GPUS",
            help="With --device cuda, which: their UUIDs, or those of MIG slices, with commas.",
        ),
    ] = "",
    cells: Annotated[str, typer.Option(help="docker, or process where everyone who sends is trusted.")] = "docker",
    image: Annotated[str, typer.Option(help="The grader image.")] = "gradus-grader:latest",
    data: Annotated[Path, typer.Option(help="Where packages are kept; they are secret.")] = Path("var/node"),
) -> None:
    """Judge for the service until it is told to stop: Ctrl+C or SIGTERM ends after the jobs that it has."""
    logs.configure("auto")
    logging.getLogger("nats").setLevel(logging.CRITICAL)
    try:
        name, seed = read_token(token)
        public_key(seed)
    except ValueError as error:
        raise _ended(f"this is no token of a node: {error}", MISUSED) from error
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
    """The GPUs to judge on. Where there are none the node joins all the same: whoever looks at the desk shall see why."""
    try:
        return gpus.look(tuple(filter(None, only.split(","))))
    except Unavailable as error:
        return Seen(problem=str(error))


def _no_gpus(seen: Seen) -> None:
    """The gate of a node that has none."""
    raise Unavailable(f"{seen.problem}. When that is mended, start the node again")


def _serve(access: Access, settings: Settings, seen: Seen) -> str:
    """Serve until the end; returns why the node was turned away, if it was."""
    kept = Kept(settings.kept)
    kept.sweep((), KEEP_S)
    near, far = socket.socketpair()
    bridge = Bridge(access, far, kept, {**labels(settings.image), **({"driver": seen.driver} if seen.driver else {})})
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
    engine = DockerEngine(image=settings.image, label=f"{settings.name}@{settings.kept}")
    return Node(settings, engine, connection, Gate(settings.image).check)


if __name__ == "__main__":
    app()
