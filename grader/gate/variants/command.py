"""Proves the variants of the challenges that `gradus challenge check` checks, and provides `gradus challenge show-variant`."""

import difflib
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from grader.content import package
from grader.content.variants.declared import combinations, declaration
from grader.content.variants.expansion import ACCEPTED, FILES, expanded
from grader.contract.errors import GraderError, PackageError
from grader.gate.variants.prove import VariantsRecord

console = Console()


def declares_variants(folder: Path) -> bool:
    """Return whether a file declares variants of the challenge in `folder`."""
    return declaration(folder).is_file()


def show_variants(to: Console, records: list[VariantsRecord]) -> None:
    """Print a line for each variant with the tests that reject the answers to the other variants, and the findings."""
    if not records:
        return
    table = Table(title="variants")
    for column in ("challenge", "variant", "accepted", "wrong", "answers to others are rejected by", "seconds"):
        table.add_column(column, overflow="fold")
    for record in records:
        seconds = "cached" if record.cached else f"{record.seconds:.1f}"
        if record.findings:
            table.add_row(record.slug, "", "", "", "see below", seconds, style="red")
        for proof in record.variants:
            tests = sorted({test for tests in proof.rejects.values() for test in tests})
            cells = (proof.name, str(proof.accepted), str(proof.wrong), escape(", ".join(tests)))
            table.add_row(record.slug, *cells, seconds, style="green")
    to.print(table)
    for record in records:
        for finding in record.findings:
            told = escape(f"{record.slug}: {finding.where}: {finding.text}")
            to.print(f"[red]{told}[/red]", highlight=False, soft_wrap=True)


def show_variant_command(
    slug: Annotated[str, typer.Argument(help="The challenge.", show_default=False)],
    name: Annotated[str, typer.Argument(help="The variant, such as outside.sum. Default: a list of all.")] = "",
    root: Annotated[Path, typer.Option(help="Folder of challenges.")] = Path("challenges"),
) -> None:
    """List the variants of a challenge, or print how one of them differs from the plain challenge."""
    try:
        folder = next((each for each in package.find(root) if each.name == slug), None)
        if folder is None:
            raise PackageError(f"there is no challenge {slug!r} below {root}")
        found = {one.name: one for one in combinations(folder)}
        if name and name not in found:
            raise PackageError(f"{slug} has no variant {name!r}; it has: {', '.join(found) or 'none'}")
        if not name:
            for one in found.values():
                typer.echo(f"{one.name}: {one.summary}")
            return
        with expanded(folder, found[name]) as target:
            typer.echo(_difference(folder, target), nl=False)
    except GraderError as error:
        console.print(f"[red]{escape(str(error))}[/red]", soft_wrap=True)
        raise typer.Exit(1) from None


def _difference(folder: Path, target: Path) -> str:
    names = [*FILES, *((ACCEPTED / path.name).as_posix() for path in sorted((target / ACCEPTED).glob("*.py")))]
    found: list[str] = []
    for name in names:
        if (target / name).is_file():
            old, new = (
                (each / name).read_text(encoding="utf-8").splitlines(keepends=True) for each in (folder, target)
            )
            found += difflib.unified_diff(old, new, name, name)
    return "".join(found)
