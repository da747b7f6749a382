"""The author's commands: `gradus challenge lock` and `gradus challenge check`."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from grader.check import Finding, check, write_lock
from grader.errors import GraderError
from grader.package import find
from grader.workbench import Workbench, workbench

challenge = typer.Typer(no_args_is_help=True, help="Write and prove challenges.")
console = Console()

Slugs = Annotated[list[str] | None, typer.Argument(help="slugs; none means all")]
Root = Annotated[Path, typer.Option(help="folder of challenges")]
Cells = Annotated[str, typer.Option(help="docker or process")]


def _folders(root: Path, slugs: list[str] | None) -> list[Path]:
    folders = find(root)
    unknown = set(slugs or ()) - {folder.name for folder in folders}
    if unknown:
        raise typer.BadParameter(f"no such challenge under {root}: {', '.join(sorted(unknown))}")
    return [folder for folder in folders if not slugs or folder.name in slugs]


def _show(title: str, rows: list[tuple[str, list[Finding], float]]) -> None:
    table = Table(title=title)
    for column in ("challenge", "result", "seconds"):
        table.add_column(column)
    for name, findings, seconds in rows:
        text = "\n".join(f"{finding.where}: {finding.text}" for finding in findings) or "proven"
        table.add_row(name, text, f"{seconds:.1f}", style="red" if findings else "green")
    console.print(table)


def _for_each(title: str, folders: list[Path], cells: str, act: Callable[[Workbench, Path], list[Finding]]) -> NoReturn:
    """Do something to every challenge on one workbench, show what was found, and exit 1 if anything was."""
    rows = []
    try:
        with workbench(cells) as bench:
            for folder in folders:
                started = time.monotonic()
                try:
                    findings = act(bench, folder)
                except GraderError as error:  # of this package; the others are looked at all the same
                    findings = [Finding(folder.name, str(error))]
                rows.append((folder.name, findings, time.monotonic() - started))
    except GraderError as error:
        console.print(f"[red]{error}[/red]")
        raise typer.Exit(1) from None
    _show(title, rows)
    raise typer.Exit(1 if any(findings for _, findings, _ in rows) else 0)


@challenge.command("lock")
def lock_command(slugs: Slugs = None, root: Root = Path("challenges"), cells: Cells = "docker") -> None:
    """Write tests.lock: the tests as collected, and a pool of secret seeds proven on every accepted answer."""
    _for_each("tests.lock", _folders(root, slugs), cells, lambda bench, folder: write_lock(bench, folder)[1])


@challenge.command("check")
def check_command(
    slugs: Slugs = None,
    root: Root = Path("challenges"),
    cells: Cells = "docker",
    quick: Annotated[bool, typer.Option(help="one seed instead of the whole pool")] = False,
) -> None:
    """Try everything that the challenges claim: accepted answers, wrong answers, starter, lock."""
    folders = _folders(root, slugs)
    _for_each("authoring gate", folders, cells, lambda bench, folder: check(bench, folder, all_seeds=not quick))
