"""Defines the command `gradus doctor`."""

import json
from typing import Annotated

import typer
from rich.console import Console

from grader.doctor.examination import examine
from grader.doctor.findings import as_data, exit_code
from grader.doctor.page import show

app = typer.Typer(add_completion=False)


@app.callback(invoke_without_command=True)
def doctor(
    image: Annotated[str, typer.Option(help="The grader image to test.")] = "gradus-grader:latest",
    slots: Annotated[int, typer.Option(help="Number of slots that the node will have.", min=1)] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of the page.")] = False,
) -> None:
    """Check the isolation and the speed of this host. Exit code 0: passed; 1: a check failed; 2: a check could not run."""
    findings = examine(image, slots)
    if as_json:
        print(json.dumps(as_data(findings), indent=1, ensure_ascii=False))
    else:
        show(Console(highlight=False), findings)
    raise typer.Exit(exit_code(findings))
