"""Provides `gradus challenge measure`, which measures answers to a scored challenge on this machine, as a node does."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace
from rich import box
from rich.console import Console
from rich.status import Status
from rich.table import Table
from rich.text import Text

from grader.content import package as packages
from grader.content.package import Package
from grader.content.scored.declared import declaration, scored
from grader.contract.errors import GraderError, PackageError
from grader.contract.job import Verdict, fresh_seed
from grader.contract.measurement import Measurement, MeasurementPlan, Quantity
from grader.contract.ranking import interval
from grader.judging.measuring.bench import MeasuringBench
from grader.judging.measuring.measuring import AnswerFailed, MeasuringRequest, measure
from grader.judging.slots.lane import Lane
from grader.judging.workbench import workbench

console = Console()
INTERRUPTED = 130
# A chain of the baseline that is shorter is noisy, and one that is longer makes jobs wait.
SHORTEST_S, LONGEST_S = 0.1, 1.0
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def measure_command(
    challenge: Annotated[str, typer.Argument(help="Slug or folder of a scored challenge.", show_default=False)],
    answer: Annotated[Path | None, typer.Argument(help="File to measure. Default: all accepted answers.")] = None,
    root: Annotated[Path, typer.Option(help="Folder of challenges.")] = Path("challenges"),
    cells: Annotated[str, typer.Option(help="Kind of cells: docker or process.")] = "docker",
    budget: Annotated[float | None, typer.Option(help="Seconds for each answer. Default: 30.", min=1)] = None,
) -> None:
    """Measure answers to a scored challenge on this machine, and compare them with its baseline."""
    results: list[tuple[str, Measurement | AnswerFailed]] = []
    try:
        package, plan = _challenge(root, challenge)
        plan = plan if budget is None else replace(plan, budget_s=budget)
        answers = _answers(package, answer)
        with workbench(cells, slots=1) as bench, console.status("starting cells") as status:
            measuring = MeasuringBench(bench.spares, bench.judge_container)
            for name, source in answers:
                status.update(f"{name}: smaller sizes")
                request = MeasuringRequest(package, source, fresh_seed(), plan, _reporter(status, name))
                try:
                    results.append((name, measure(request, measuring, Lane())))
                except AnswerFailed as error:
                    results.append((name, error))
            measuring.release()
    except GraderError as error:
        console.print(Text(str(error), style="red"), soft_wrap=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        console.print("stopped; the containers have ended")
        raise typer.Exit(INTERRUPTED) from None
    _show(package, plan, results)
    raise typer.Exit(1 if any(isinstance(result, AnswerFailed) for _, result in results) else 0)


def _challenge(root: Path, name: str) -> tuple[Package, MeasurementPlan]:
    folders = [Path(name)] if (Path(name) / "challenge.toml").is_file() else packages.find(root)
    folder = next((each for each in folders if each.name == Path(name).name), None)
    if folder is None:
        raise PackageError(f"there is no challenge {name!r} below {root}")
    folder = folder.resolve()
    found = scored(folder)
    if found is None:
        raise PackageError(f"{folder.name} is not measured: write {declaration(folder)}, which declares how")
    return packages.load(folder, locked=False), found.plan


def _answers(package: Package, answer: Path | None) -> list[tuple[str, str]]:
    """Return the names and sources of the answers to measure."""
    if answer is None:
        return [(each.name, each.source) for each in package.answers if each.verdict is Verdict.AC]
    try:
        return [(answer.name, answer.read_text(encoding="utf-8"))]
    except (OSError, UnicodeDecodeError) as error:
        raise PackageError(f"{answer} cannot be read: {error}") from None


def _reporter(status: Status, name: str) -> Callable[[int, float | None], None]:
    def report(pairs: int, half_width: float | None) -> None:
        known = "" if half_width is None else f", ±{half_width:.1%}"
        status.update(f"{name}: {pairs} pairs{known}")

    return report


def _show(package: Package, plan: MeasurementPlan, results: Sequence[tuple[str, Measurement | AnswerFailed]]) -> None:
    measured = [(name, found) for name, found in results if isinstance(found, Measurement)]
    if measured:
        table = _table(package, plan)
        for name, found in measured:
            _add_rows(table, name, plan, found)
        console.print(table)
    notes = [note for name, found in measured for note in _notes(name, found)]
    notes += [Text(f"{name}: {error}", style="red") for name, error in results if isinstance(error, AnswerFailed)]
    notes += [note for _, found in measured[:1] for note in _about(plan, found)]
    for note in notes:
        console.print(note, soft_wrap=True)


def _table(package: Package, plan: MeasurementPlan) -> Table:
    what = "time of a call" if plan.quantity is Quantity.SPEED else "memory of a call"
    compared = "times as fast" if plan.quantity is Quantity.SPEED else "times less memory"
    title = f"{package.slug}: {what} beside the baseline"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("answer", overflow="fold")
    for column in ("size", "time" if plan.quantity is Quantity.SPEED else "memory", "baseline", "floor"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column(compared, no_wrap=True)
    table.add_column("pairs", justify="right", no_wrap=True)
    return table


def _add_rows(table: Table, name: str, plan: MeasurementPlan, found: Measurement) -> None:
    shown = duration if plan.quantity is Quantity.SPEED else memory
    for each in found.sizes:
        last = each is found.sizes[-1]
        ratio = f"{each.baseline / each.answer:.2f}"
        if last:
            reach = interval(found.log_ratio, found.std_error)
            ratio = f"{reach.ratio:.2f} ({reach.low:.2f} to {reach.high:.2f})"
        style = "red" if each.answer < each.floor else ""
        cells = (f"{each.size:,}", shown(each.answer), shown(each.baseline), shown(each.floor), ratio, str(each.pairs))
        table.add_row(name if each is found.sizes[0] else "", *cells, style=style, end_section=last)


def _notes(name: str, found: Measurement) -> Iterator[Text]:
    if found.shared:
        yield Text(f"{name}: not reliable: {found.shared}", style="yellow")
    below = [f"{each.size:,}" for each in found.sizes if each.answer < each.floor]
    if below:
        text = (
            f"{name}: below the floor at size {', '.join(below)}: it leaves work out, or flops and bytes are too high"
        )
        yield Text(text, style="red")
    shares = ", ".join(f"{each.name} {each.share:.0%}" for each in found.operators[:5])
    yield Text(f"{name}: {found.pairs} pairs in {found.wall_s:.0f} s. {shares}")


def _about(plan: MeasurementPlan, found: Measurement) -> Iterator[Text]:
    """Describe the machine, and say at which sizes the author should change the number of steps."""
    machine = found.machine
    rates = f"{machine.gflops:.0f} GFLOP/s and {machine.gb_per_s:.0f} GB/s in one thread"
    yield Text(f"{machine.cpu}, torch {machine.torch}, {rates}")
    for declared, each in zip(plan.sizes, found.sizes, strict=True):
        chain_s = each.baseline * declared.steps
        if plan.quantity is Quantity.SPEED and not SHORTEST_S <= chain_s <= LONGEST_S:
            few = "more" if chain_s < SHORTEST_S else "fewer"
            text = f"size {each.size:,}: the baseline's chain takes {duration(chain_s)}; declare {few} steps"
            yield Text(text, style="yellow")


def duration(seconds: float) -> str:
    """Format a time with three digits, in the unit that fits."""
    unit, name = next((each for each in UNITS if seconds >= each[0]), UNITS[-1])
    return f"{seconds / unit:.3g} {name}"


def memory(mib: float) -> str:
    """Format a size in MiB."""
    return f"{mib:.1f} MiB"
