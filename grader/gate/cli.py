"""Defines the authors' commands `gradus challenge lock`, `check`, `flakes` and `saboteurs`, and adds the commands that other
modules define.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.status import Status
from rich.table import Table

from grader.content import package, topic
from grader.content.authoring.finding import Finding
from grader.content.authoring.saboteurs import SABOTEURS
from grader.contract.errors import GraderError
from grader.gate import flakes
from grader.gate.authoring import new_command, preview_command
from grader.gate.coverage import coverage_command
from grader.gate.examine_statement import examine_statement
from grader.gate.kinds import KINDS, Kind
from grader.gate.lock import write_lock
from grader.gate.pages.check import write_statement, write_topic
from grader.gate.report.html import write_page
from grader.gate.report.record import LEAST_RATE_OVERALL, Record, overall
from grader.gate.report.table import report, show, write_json
from grader.gate.scored.measure import measure_command
from grader.gate.show_wrong import show_wrong_command
from grader.gate.trials.cache import Cache
from grader.gate.variants.command import declares_variants, show_variant_command, show_variants
from grader.gate.variants.prove import VariantsRecord, prove
from grader.gate.workbench_pool import WorkbenchPool, workbench_pool
from grader.judging.workbench import Workbench

challenge = typer.Typer(no_args_is_help=True, help="Write and check challenges.")
challenge.command("new")(new_command)
challenge.command("preview")(preview_command)
challenge.command("show-wrong")(show_wrong_command)
challenge.command("show-variant")(show_variant_command)
challenge.command("coverage")(coverage_command)
challenge.command("measure")(measure_command)
console = Console()
REPORT = Path("var/gate/report.json")
INTERRUPTED = 130

Slugs = Annotated[list[str] | None, typer.Argument(help="Slugs of challenges or topics. Default: all.")]
Root = Annotated[Path, typer.Option(help="Folder of challenges.")]
Cells = Annotated[str, typer.Option(help="Kind of cells: docker or process.")]


@dataclass(frozen=True)
class FolderToCheck:
    """A folder to check. `of` is the number of folders in this run, and `number` is this folder's place, counted from 1."""

    kind: Kind
    folder: Path
    number: int
    of: int


def _places(root: Path, slugs: list[str] | None) -> list[FolderToCheck]:
    found = [(kind, folder) for kind in KINDS for folder in kind.find(root)]
    _refuse_unknown(root, slugs, {folder.name for _, folder in found})
    chosen = [(kind, folder) for kind, folder in found if not slugs or folder.name in slugs]
    return [FolderToCheck(kind, folder, number, len(chosen)) for number, (kind, folder) in enumerate(chosen, 1)]


def _refuse_unknown(root: Path, slugs: list[str] | None, known: set[str]) -> None:
    unknown = set(slugs or ()) - known
    if unknown:
        raise typer.BadParameter(f"no challenge or topic of that name below {root}: {', '.join(sorted(unknown))}")


@contextmanager
def _benches(cells: str) -> Iterator[WorkbenchPool]:
    """Provide a pool of workbenches for a `with` block, and close the pool at the end. If the block raises a `GraderError` or
    is interrupted by Ctrl-C, prints one line and exits.
    """
    try:
        with workbench_pool(cells) as made:
            yield made
    except GraderError as error:
        console.print(f"[red]{error}[/red]")
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        console.print("stopped; the containers have ended")
        raise typer.Exit(INTERRUPTED) from None


class Progress:
    """Shows in the status line which folders are being checked. Its methods are thread-safe."""

    def __init__(self, status: Status, of: int) -> None:
        self._status, self._of = status, of
        self._lock = threading.Lock()
        self._now: list[str] = []
        self._done = self._judgings = 0

    @contextmanager
    def at(self, name: str) -> Iterator[None]:
        """Show a folder's name in the status line during the `with` block."""
        with self._lock:
            self._now.append(name)
            self._show()
        try:
            yield
        finally:
            with self._lock:
                self._now.remove(name)
                self._done += 1
                self._show()

    def note(self) -> None:
        """Count one more judging, and show the number of judgings so far in the status line."""
        with self._lock:
            self._judgings += 1
            self._show()

    def _show(self) -> None:
        self._status.update(f"{self._done} of {self._of}, {self._judgings:,} judgings: {', '.join(self._now)}")


@challenge.command("lock")
def lock_command(slugs: Slugs = None, root: Root = Path("challenges"), cells: Cells = "docker") -> None:
    """Write computed files: tests.lock (once every accepted answer has passed the tests on fresh seeds), quiz.lock (the
    results of the snippets in predict questions), and the output below every example.
    """
    folders = [*package.find(root), *topic.find(root)]
    _refuse_unknown(root, slugs, {folder.name for folder in folders})
    folders = [folder for folder in folders if not slugs or folder.name in slugs]
    with _benches(cells) as benches, console.status("") as status:
        progress = Progress(status, len(folders))
        rows = benches.each(lambda bench, folder: _locked(bench, folder, progress), folders)
    _show_locks(rows)
    raise typer.Exit(1 if any(findings for _, findings, _ in rows) else 0)


def _locked(bench: Workbench, folder: Path, progress: Progress) -> tuple[str, list[Finding], float]:
    started = time.monotonic()
    try:
        with progress.at(folder.name):
            if (folder / "topic.toml").is_file():
                findings = write_topic(bench, folder)
            else:
                findings = write_statement(bench, folder) + write_lock(bench, folder)[1]
    except GraderError as error:  # only this folder is affected; the others are still processed
        findings = [Finding(folder.name, str(error))]
    return folder.name, findings, time.monotonic() - started


def _show_locks(rows: list[tuple[str, list[Finding], float]]) -> None:
    table = Table(title="locks")
    for column in ("challenge or topic", "result", "seconds"):
        table.add_column(column)
    for name, findings, seconds in rows:
        text = "\n".join(f"{finding.where}: {finding.text}" for finding in findings) or "proven"
        table.add_row(name, text, f"{seconds:.1f}", style="red" if findings else "green")
    console.print(table)


@challenge.command("check")
def check_command(
    slugs: Slugs = None,
    root: Root = Path("challenges"),
    cells: Cells = "docker",
    quick: Annotated[bool, typer.Option("--quick", help="Use one seed for each answer instead of four.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Also check what has not changed.")] = False,
    json: Annotated[Path | None, typer.Option(help="Also write the report to this file, as JSON.")] = None,
) -> None:
    """Check challenges and topics. For a challenge, check all its claims, then judge saboteurs and mutants of its reference, and
    prove its variants.
    """
    cache = Cache(mode="quick" if quick else "whole", read=not everything)
    places = _places(root, slugs)
    with _benches(cells) as benches, console.status("") as status:
        known = {place.number: cache.known(place.folder, place.kind.name, place.kind.digest) for place in places}
        new = [place for place in places if known[place.number] is None]
        progress = Progress(status, len(new))
        looked = benches.each(lambda bench, place: _looked_at(bench, place, cache, progress, all_seeds=not quick), new)
        found = dict(zip((place.number for place in new), looked, strict=True))
        records = [known[place.number] or found[place.number] for place in places]
        variants = [] if quick else _variants(benches, places, records, status, again=everything)
    show(console, records, whole=not slugs)
    show_variants(console, variants)
    _write(records, whole=not slugs and not quick, json=json)
    dull = not slugs and overall(records) < LEAST_RATE_OVERALL
    faulty = any(record.findings for record in records) or any(record.findings for record in variants)
    raise typer.Exit(1 if dull or faulty else 0)


def _variants(
    benches: WorkbenchPool, places: list[FolderToCheck], records: list[Record], status: Status, *, again: bool
) -> list[VariantsRecord]:
    """Prove the variants of those challenges whose plain form has no findings."""
    pairs = zip(places, records, strict=True)
    folders = [each.folder for each, record in pairs if not record.findings and declares_variants(each.folder)]
    progress = Progress(status, len(folders))

    def proven(bench: Workbench, folder: Path) -> VariantsRecord:
        with progress.at(f"variants of {folder.name}"):
            return prove(bench, folder, progress.note, again=again)

    return benches.each(proven, folders)


def _looked_at(bench: Workbench, place: FolderToCheck, cache: Cache, progress: Progress, *, all_seeds: bool) -> Record:
    folder, kind = place.folder, place.kind
    key = cache.key(folder, kind.name)
    try:
        with progress.at(folder.name):
            if earlier := cache.judged(folder, kind.name):
                record = examine_statement(bench, folder, earlier)
            else:
                record = kind.examine(bench, folder, all_seeds=all_seeds, note=progress.note)
    except GraderError as error:  # only this folder is affected; the others are still checked
        record = Record(folder.name, kind.name, findings=(Finding(folder.name, str(error)),))
    cache.put(key, record)
    cache.prove(folder, kind.name, key, kind.digest(folder), record)
    return record


def _write(records: list[Record], *, whole: bool, json: Path | None) -> None:
    made = report(records)
    if whole:
        write_json(made, REPORT)
        write_page(made, REPORT.with_suffix(".html"))
        console.print(f"the whole report: {REPORT.with_suffix('.html')}", highlight=False)
    if json is not None:
        write_json(made, json)


@challenge.command("flakes")
def flakes_command(
    slugs: Slugs = None,
    judgings: Annotated[int, typer.Option(help="Total number of judgings, distributed evenly.", min=1)] = 10_000,
    seed: Annotated[int | None, typer.Option(help="Use this seed for every judging, to reproduce a failure.")] = None,
    tolerance_share: Annotated[
        float,
        typer.Option(help="Multiply the tolerances of all comparisons, to find rarer failures.", min=0.0, max=1.0),
    ] = 1.0,
    root: Root = Path("challenges"),
    cells: Cells = "docker",
) -> None:
    """Judge accepted answers many times, each time on a fresh seed. Every judging must accept its answer. Challenges for GPUs
    only are left out unless they are named, because they may need more than the grader's image for CPUs has.
    """
    _refuse_unknown(root, slugs, {folder.name for folder in package.find(root)})
    folders = [folder for folder in package.find(root) if (folder.name in slugs if slugs else _for_cpus(folder))]
    shares = [judgings * n // len(folders) - judgings * (n - 1) // len(folders) for n in range(1, len(folders) + 1)]
    found: list[flakes.FlakeCount] = []
    try:
        with _benches(cells) as benches, console.status("") as status:
            progress = Progress(status, len(folders))

            def looked_at(bench: Workbench, folder_and_share: tuple[Path, int]) -> None:
                folder, share = folder_and_share
                with progress.at(folder.name):
                    counted = flakes.count_flakes(
                        bench,
                        package.load(folder),
                        share,
                        progress.note,
                        seed=seed,
                        tolerance_share=tolerance_share,
                    )
                    found.append(counted)
                # By default, this command runs for about an hour, so each result is printed immediately.
                console.print(f"{len(found)} of {len(folders)}: {found[-1]}", highlight=False)

            benches.each(looked_at, list(zip(folders, shares, strict=True)))
    finally:
        # The results so far are also shown when the command is interrupted.
        if found:
            flakes.show(console, sorted(found, key=lambda item: item.slug))
    raise typer.Exit(1 if any(item.refused for item in found) else 0)


def _for_cpus(folder: Path) -> bool:
    if "cpu" in package.load(folder).info.devices:
        return True
    console.print(f"{folder.name} is for GPUs only and is left out; name it to judge it", highlight=False)
    return False


@challenge.command("saboteurs")
def saboteurs_command() -> None:
    """List the saboteurs: what each changes, and which entries it fits."""
    table = Table(title="saboteurs")
    for column in ("id", "what it does", "fits"):
        table.add_column(column)
    for saboteur in SABOTEURS:
        fits = "anything" if len(saboteur.fits) == 4 else ", ".join(sorted(saboteur.fits))
        table.add_row(saboteur.id, saboteur.text, fits)
    console.print(table)
