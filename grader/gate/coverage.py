"""Defines `gradus challenge coverage`, which shows which interview questions of the syllabus are covered and which are not.

A question is covered if an item, which is a challenge or a quiz question, names it in `covers`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.content import package, syllabus, topic, track
from grader.content.syllabus import Syllabus
from grader.contract.errors import PackageError

console = Console()


@dataclass(frozen=True)
class Coverage:
    """The result of comparing the catalogue with the syllabus.

    `items` maps the id of each covered question or short prompt to the items that cover it. `topics` and `errata` contain the
    ids of the syllabus' topics and errata that the catalogue's topics cover. `untracked` lists the topics that are in no track.
    """

    syllabus: Syllabus
    items: dict[str, list[str]]
    topics: set[str]
    errata: set[str]
    untracked: list[str]

    def missing(self, wanted: Iterable[str]) -> list[str]:
        """Return the ids in `wanted` that no item covers. An id is `<list>:<number>`, and the ids are sorted by both parts."""
        return sorted(set(wanted) - set(self.items), key=_by_number)

    @property
    def complete(self) -> bool:
        """Whether the catalogue covers the whole syllabus, including short prompts, topics and errata, and every topic of the
        catalogue is in a track.
        """
        everything = self.syllabus.questions | self.syllabus.prompts
        return not (self.missing(everything) or self._topics_missing or self._errata_missing or self.untracked)

    @property
    def _topics_missing(self) -> set[str]:
        return {each.id for each in self.syllabus.topic} - self.topics

    @property
    def _errata_missing(self) -> set[str]:
        return self.syllabus.errata - self.errata

    def totals(self) -> Iterator[tuple[str, int, int, str]]:
        """Yield the rows of the table: what the row counts, how many exist, how many are covered, and which are not covered."""
        for kind, ids in (("questions", self.syllabus.questions), ("short prompts", self.syllabus.prompts)):
            for name in sorted({_list(each) for each in ids}):
                of_list = [each for each in ids if _list(each) == name]
                missing = self.missing(of_list)
                yield (
                    f"{kind} of list {name}",
                    len(of_list),
                    len(of_list) - len(missing),
                    " ".join(map(_number, missing)),
                )
        for kind, wanted, missing_ones in (
            ("topics", {each.id for each in self.syllabus.topic}, self._topics_missing),
            ("errata", self.syllabus.errata, self._errata_missing),
        ):
            yield kind, len(wanted), len(wanted) - len(missing_ones), " ".join(sorted(missing_ones))


def coverage(root: Path) -> Coverage:
    """Read all challenges, topics and tracks in `root`, and compare what they cover with the syllabus. Raises `PackageError` if
    one of them is invalid.
    """
    items: defaultdict[str, list[str]] = defaultdict(list)
    topics, errata = set[str](), set[str]()
    for folder in package.find(root):
        for each in package.load(folder, locked=False).info.covers:
            items[each].append(folder.name)
    written = [topic.load(folder, locked=False) for folder in topic.find(root)]
    for read in written:
        topics.update(read.info.syllabus)
        errata.update(read.info.corrects)
        for question in read.quiz.questions if read.quiz else ():
            for each in question.covers:
                items[each].append(f"{read.id}: {question.id}")
    tracked = {each for path in track.find(root) for each in track.load(path).topics}
    untracked = sorted(read.id for read in written if read.id not in tracked)
    return Coverage(syllabus.load(root), dict(items), topics, errata, untracked)


def coverage_command(
    items: Annotated[bool, typer.Option("--items", help="Also list the items that cover each question.")] = False,
    root: Annotated[Path, typer.Option(help="Folder of challenges.")] = Path("challenges"),
) -> None:
    """Print which interview questions are covered by at least one item, and which by none. Exits with 1 unless every question,
    topic and erratum of the syllabus is covered and every topic is in a track.
    """
    try:
        found = coverage(root)
    except PackageError as error:
        console.print(Text(str(error), style="red"), soft_wrap=True)
        raise typer.Exit(1) from None
    _show(found)
    if items:
        _show_items(found)
    raise typer.Exit(0 if found.complete else 1)


def _show(found: Coverage) -> None:
    table = Table(title="coverage of the syllabus")
    table.add_column("what")
    table.add_column("covered", justify="right", no_wrap=True)
    table.add_column("missing", overflow="fold")
    for what, of, covered, missing in found.totals():
        table.add_row(what, f"{covered} of {of}", Text(missing), style="" if missing else "green")
    table.add_row("topics in no track", str(len(found.untracked)), Text(" ".join(found.untracked)))
    console.print(table)


def _show_items(found: Coverage) -> None:
    table = Table(title="items by question")
    for column in ("question", "topics", "items"):
        table.add_column(column, overflow="fold")
    for each in sorted(found.syllabus.questions | found.syllabus.prompts, key=_by_number):
        topics = ", ".join(found.syllabus.topics_of(each))
        table.add_row(Text(each), Text(topics), Text(", ".join(found.items.get(each, [])) or "none"))
    console.print(table)


def _list(question: str) -> str:
    return question.partition(":")[0]


def _number(question: str) -> str:
    return question.partition(":")[2]


def _by_number(question: str) -> tuple[str, int, str]:
    number = _number(question)
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    return _list(question), int(digits), number[len(digits) :]
