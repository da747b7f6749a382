"""Provides `gradus challenge show-wrong`. The command prints the source of a wrong answer as the gate judges it, or how this
source differs from an accepted answer.
"""

import difflib
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from grader.content import package
from grader.content.answers import Answer
from grader.content.package import Package
from grader.contract.errors import PackageError
from grader.contract.job import Verdict

console = Console()


def show_wrong_command(
    slug: Annotated[str, typer.Argument(help="The challenge.", show_default=False)],
    name: Annotated[str, typer.Argument(help="The wrong answer. Default: a list of all.")] = "",
    diff: Annotated[bool, typer.Option("--diff", help="Show only the differences from the accepted answer.")] = False,
    root: Annotated[Path, typer.Option(help="Folder of challenges.")] = Path("challenges"),
) -> None:
    """Print a wrong answer as it is judged. The answer can be a file or a table of changes in wrong.toml."""
    try:
        found = _package(root, slug)
        if not name:
            _list(found)
            return
        answer = found.answer(name.removesuffix(".py"), wrong=True)
    except PackageError as error:
        console.print(Text(str(error), style="red"), soft_wrap=True)
        raise typer.Exit(1) from None
    _print(difference(found, answer), "diff") if diff else _print(answer.source, "python")


def difference(found: Package, answer: Answer) -> str:
    """Return a unified diff between an accepted answer and a wrong answer. The accepted answer is the one that wrong.toml
    changes, or the reference if the wrong answer is a file.
    """
    origin = found.answer(answer.of) if answer.of else found.answers[0]
    lines = difflib.unified_diff(
        origin.code.splitlines(keepends=True),
        answer.code.splitlines(keepends=True),
        f"accepted/{origin.name}",
        f"{answer.verdict.lower()}/{answer.name}",
    )
    return "".join(lines)


def _package(root: Path, slug: str) -> Package:
    for folder in package.find(root):
        if folder.name == slug:
            return package.load(folder, locked=False)
    raise PackageError(f"there is no challenge {slug!r} below {root}")


def _list(found: Package) -> None:
    table = Table(title=f"wrong answers of {found.slug}")
    for column in ("name", "verdict", "caught by", "mistake"):
        table.add_column(column, overflow="fold")
    for answer in found.answers:
        if answer.verdict is not Verdict.AC:
            table.add_row(*map(Text, (answer.stem, answer.verdict, answer.caught_by, answer.mistake)))
    console.print(table)


def _print(text: str, language: str) -> None:
    """Print a text, with colours on a terminal and unchanged in a file or a pipe."""
    if console.is_terminal:
        console.print(Syntax(text, language, background_color="default"))
    else:
        typer.echo(text, nl=False)
