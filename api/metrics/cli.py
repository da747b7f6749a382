"""`gradus scale`: watches the queue and runs a command when more or fewer nodes are wanted."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Annotated

import httpx
import structlog
import typer
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from api import logs
from api.metrics.scaling import Reading, Rules, Scaler

app = typer.Typer(add_completion=False)
log = structlog.get_logger()
ANSWER_WITHIN_S = 10
COMMAND_WITHIN_S = 300
# What is read, and how its lanes are put together.
FIGURES: dict[str, Callable[[list[float]], float]] = {
    "queued": sum,
    "queued_oldest_seconds": max,
    "nodes_able": sum,
    "slots": sum,
    "being_judged": sum,
}
FIRST = "http://127.0.0.1:9464/metrics"
Metrics = typer.Option(help="Where a process of the service tells its figures; name each of them.")
Command = typer.Option(help="Run by the shell; {wanted} in it becomes the number of nodes that are wanted in all.")


@app.callback(invoke_without_command=True)
def scale(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    up: Annotated[str, Command],
    down: Annotated[str, Command],
    metrics: Annotated[list[str], Metrics] = [FIRST],  # noqa: B006 (typer copies it)
    device: Annotated[str, typer.Option(help="Nodes of this device: cpu or cuda.")] = "cpu",
    nodes: Annotated[str, typer.Option(help="At least and at most so many.", metavar="LEAST:MOST")] = "1:10",
    late: Annotated[float, typer.Option(min=0.1, help="Seconds that a submission may wait.")] = 10,
    late_for: Annotated[float, typer.Option(min=0, help="Seconds that this must last before UP runs.")] = 30,
    idle_for: Annotated[
        float, typer.Option(min=0, help="Seconds that half of the slots must idle, DOWN then runs.")
    ] = 600,
    pause: Annotated[float, typer.Option(min=0, help="Seconds after a step in which there is no other.")] = 180,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks.")] = 10,
) -> None:
    """Run a command when more or fewer nodes are wanted, by how long the oldest submission has waited."""
    logs.configure("auto")
    scaler = Scaler(Rules(*_bounds(nodes), late, late_for, idle_for, pause))
    while True:
        reading = read(metrics, device)
        wanted = scaler.read(reading, time.monotonic())
        if wanted is not None and scaler.wanted is not None:
            more = wanted > scaler.wanted
            log.info("nodes_wanted", wanted=wanted, before=scaler.wanted, **(reading._asdict() if reading else {}))
            # A command that failed has changed nothing: after the pause it is tried again.
            if run((up if more else down).replace("{wanted}", str(wanted))):
                scaler.wanted = wanted
        time.sleep(every)


def _bounds(nodes: str) -> tuple[int, int]:
    least, _, most = nodes.partition(":")
    if not (least.isdigit() and most.isdigit() and int(least) <= int(most)):
        typer.echo(f"gradus scale: --nodes is LEAST:MOST, say 1:10, not {nodes}.", err=True)
        sys.exit(2)
    return int(least), int(most)


def read(urls: list[str], device: str) -> Reading | None:
    """The figures of a device; None, and a line in the log, when they cannot be had of every process.

    A node is joined to one process, and each tells of its own; of the queue all of them tell the same.
    """
    try:
        told = [_figures(url, device) for url in urls]
    except (httpx.HTTPError, ValueError, KeyError) as error:
        log.error("figures_not_read", reason=f"{type(error).__name__}: {error}")
        return None
    return Reading(
        queued=int(max(each["queued"] for each in told)),
        oldest_s=max(each["queued_oldest_seconds"] for each in told),
        nodes=int(sum(each["nodes_able"] for each in told)),
        slots=int(sum(each["slots"] for each in told)),
        judging=int(max(each["being_judged"] for each in told)),
    )


def _figures(url: str, device: str) -> dict[str, float]:
    answer = httpx.get(url, timeout=ANSWER_WITHIN_S, trust_env=False).raise_for_status()
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    return {name: together(_values(families[f"gradus_{name}"], device)) for name, together in FIGURES.items()}


def _values(family: Metric, device: str) -> list[float]:
    return [sample.value for sample in family.samples if sample.labels["device"] == device] or [0.0]


def run(command: str) -> bool:
    """Run a command of the operator's; whether it went well."""
    try:
        code = subprocess.run(["/bin/sh", "-c", command], check=False, timeout=COMMAND_WITHIN_S).returncode
    except subprocess.TimeoutExpired:
        code = None
    (log.info if code == 0 else log.error)("command_ran", command=command, code=code)
    return code == 0


if __name__ == "__main__":
    app()
