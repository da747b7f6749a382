"""`gradus node`: this machine judges for a service elsewhere. One command, one token; it needs no way in and no database."""

import logging
import os
import platform
import signal
import socket
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from grader import logs
from grader.containers import Engine as DockerEngine
from grader.doctor.gate import Gate
from grader.kept import Kept
from grader.line import Access
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
def node(
    url: Annotated[
        str, typer.Option(envvar="GRADUS_NODE_URL", help="nats-server: nats://host:4222 or tls://host:4222.")
    ],
    token: Annotated[str, typer.Option(envvar="GRADUS_NODE_TOKEN", help="From an admin: gradus nodes token NAME.")],
    slots: Annotated[int, typer.Option(min=1, max=1024, help="Jobs at a time; one a core.")] = os.cpu_count() or 1,
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
    if refusal := _serve(Access(url, name, seed), _settings(name, slots, cells, image, data)):
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


def _serve(access: Access, settings: Settings) -> str:
    """Serve until the end; returns why the node was turned away, if it was."""
    kept = Kept(settings.kept)
    kept.sweep((), KEEP_S)
    near, far = socket.socketpair()
    bridge = Bridge(access, far, kept, labels(settings))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: bridge.drain())
    bridge.start()
    _node(settings, near).serve()
    near.close()
    bridge.join(LAST_WORDS_S)
    return bridge.refusal


def _node(settings: Settings, connection: socket.socket) -> Node:
    if settings.cells == "process":
        return Node(settings, ProcessEngine(), connection)
    engine = DockerEngine(image=settings.image, label=f"{settings.name}@{settings.kept}")
    return Node(settings, engine, connection, Gate(settings.image).check)


def labels(settings: Settings) -> dict[str, str]:
    """What admins see of this machine. In containers, torch is the image's."""
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "gradus": version("gradus"),
        **({"image": settings.image} if settings.image else {"torch": version("torch")}),
        "host": platform.node(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory_gib:.1f} GiB",
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()


if __name__ == "__main__":
    app()
