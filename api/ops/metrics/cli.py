"""The command `gradus scale`, which watches the queue and runs a command when more or fewer nodes are needed."""

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

from api.kit import logs
from api.ops.metrics.scaling import Reading, Rules, Scaler

app = typer.Typer(add_completion=False)
log = structlog.get_logger()
# Timeouts in seconds: ANSWER_WITHIN_S for a request for metrics, COMMAND_WITHIN_S for a command of the operator.
ANSWER_WITHIN_S = 10
COMMAND_WITHIN_S = 300
# The names of the metrics that are read, without the prefix `gradus_`. A metric can have several values for one device, such as
# one for each of the queue's two lanes (short jobs and other jobs). The function says how to combine them.
FIGURES: dict[str, Callable[[list[float]], float]] = {
    "queued": sum,
    "queued_oldest_seconds": max,
    "nodes_able": sum,
    "slots": sum,
    "being_judged": sum,
}
FIRST = "http://127.0.0.1:9464/metrics"
Metrics = typer.Option(help="URL of a service process's metrics. Repeat the option for each process.")
Command = typer.Option(help="Command that the shell runs; {wanted} is replaced by the total number of nodes needed.")


@app.callback(invoke_without_command=True)
def scale(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    up: Annotated[str, Command],
    down: Annotated[str, Command],
    metrics: Annotated[list[str], Metrics] = [FIRST],  # noqa: B006 (typer copies it)
    device: Annotated[str, typer.Option(help="Device of the nodes: cpu or cuda.")] = "cpu",
    nodes: Annotated[
        str, typer.Option(help="Minimum and maximum number of nodes, as MIN:MAX.", metavar="MIN:MAX")
    ] = "1:10",
    late: Annotated[
        float, typer.Option(min=0.1, help="Longest acceptable waiting time of a submission, in seconds.")
    ] = 10,
    late_for: Annotated[
        float, typer.Option(min=0, help="Run UP after the waiting time was too long for this many seconds.")
    ] = 30,
    idle_for: Annotated[
        float, typer.Option(min=0, help="Run DOWN after half of the slots were idle for this many seconds.")
    ] = 600,
    pause: Annotated[float, typer.Option(min=0, help="Pause after each change, in seconds.")] = 180,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two checks.")] = 10,
) -> None:
    """Watch the queue, and run UP when another node is needed, or DOWN when one can be removed."""
    logs.configure("auto")
    scaler = Scaler(Rules(*_bounds(nodes), late, late_for, idle_for, pause))
    while True:
        reading = read(metrics, device)
        wanted = scaler.read(reading, time.monotonic())
        if wanted is not None and scaler.wanted is not None:
            more = wanted > scaler.wanted
            log.info("nodes_wanted", wanted=wanted, before=scaler.wanted, **(reading._asdict() if reading else {}))
            # If the command fails, `wanted` keeps its value, so the command can run again after the pause.
            if run((up if more else down).replace("{wanted}", str(wanted))):
                scaler.wanted = wanted
        time.sleep(every)


def _bounds(nodes: str) -> tuple[int, int]:
    least, _, most = nodes.partition(":")
    if not (least.isdigit() and most.isdigit() and int(least) <= int(most)):
        typer.echo(f"gradus scale: --nodes must be MIN:MAX, such as 1:10, not {nodes}.", err=True)
        sys.exit(2)
    return int(least), int(most)


def read(urls: list[str], device: str) -> Reading | None:
    """Read the queue and the nodes of a device from the metrics of all processes. If the metrics of a process cannot be read,
    log the error and return None.

    Each node is connected to a single process, so the numbers of nodes and of slots are added up. All processes report the same
    numbers for the queue, apart from small differences in time, so the maximum is taken.
    """
    try:
        figures = [_figures(url, device) for url in urls]
    except (httpx.HTTPError, ValueError, KeyError) as error:
        log.error("figures_not_read", reason=f"{type(error).__name__}: {error}")
        return None
    return Reading(
        queued=int(max(each["queued"] for each in figures)),
        oldest_s=max(each["queued_oldest_seconds"] for each in figures),
        nodes=int(sum(each["nodes_able"] for each in figures)),
        slots=int(sum(each["slots"] for each in figures)),
        judging=int(max(each["being_judged"] for each in figures)),
    )


def _figures(url: str, device: str) -> dict[str, float]:
    answer = httpx.get(url, timeout=ANSWER_WITHIN_S, trust_env=False).raise_for_status()
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    return {name: together(_values(families[f"gradus_{name}"], device)) for name, together in FIGURES.items()}


def _values(family: Metric, device: str) -> list[float]:
    return [sample.value for sample in family.samples if sample.labels["device"] == device] or [0.0]


def run(command: str) -> bool:
    """Run a command of the operator, and return whether it succeeded."""
    try:
        code = subprocess.run(["/bin/sh", "-c", command], check=False, timeout=COMMAND_WITHIN_S).returncode
    except subprocess.TimeoutExpired:
        code = None
    (log.info if code == 0 else log.error)("command_ran", command=command, code=code)
    return code == 0


if __name__ == "__main__":
    app()
