"""The look of the program: one palette, one console, a few words for verdicts, times and shares."""

import sys
from datetime import UTC, datetime

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from frontend.cli import clean

# Names of the sixteen colours, so that each reader's own palette (light or dark) stays legible.
THEME = Theme(
    {
        "good": "green", "bad": "red", "wait": "yellow", "quiet": "bright_black", "key": "bold", "link": "blue",
        "easy": "green", "medium": "yellow", "hard": "red", "table.header": "bright_black",
        "markdown.h1": "bold", "markdown.h2": "bold", "markdown.h3": "bold",
        "markdown.code": "cyan", "markdown.code_block": "cyan",
    }
)  # fmt: skip
VERDICTS = {
    "AC": ("Accepted", "Every test passed."),
    "WA": ("Wrong answer", "It ran, and at least one test did not hold."),
    "RE": ("Runtime error", "It raised an exception or died."),
    "TLE": ("Time limit", "It took more time than a judging has."),
    "MLE": ("Memory limit", "It took more memory than a judging has."),
    "OLE": ("Output limit", "It printed more than a judging keeps."),
    "CE": ("Does not compile", "Python could not read it, or a name that the challenge asks for is missing."),
    "RV": ("Not allowed", "It uses something that this challenge forbids."),
    "JE": ("Judge error", "Something broke on our side. It does not count; send it again."),
}
NARROW = 76


def console(*, errors: bool = False) -> Console:
    """A fresh console: colours only on a terminal and without NO_COLOR; nothing of a text is taken for markup."""
    stream = sys.stderr if errors else sys.stdout
    if hasattr(stream, "reconfigure"):
        # A terminal that lacks a character shows another one: no reason to break off.
        stream.reconfigure(errors="replace")
    return Console(stderr=errors, theme=THEME, markup=False, emoji=False, highlight=False)


def notice(text: str) -> None:
    """A quiet line on stderr, so that what is piped stays clean."""
    console(errors=True).print(Text(clean.line(text), style="quiet"))


def show(console: Console, what: RenderableType, width: int | None = None) -> None:
    """Print a picture, a table, a page. In a file or a pipe the lines end where their text ends."""
    if console.is_terminal:
        console.print(what, width=width)
        return
    with console.capture() as captured:
        console.print(what, width=width)
    console.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def table() -> Table:
    """A table without a frame."""
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False, header_style="quiet", expand=False)


def verdict_text(status: str, verdict: str | None, kind: str = "submit") -> Text:
    """The verdict in words, or how far it is."""
    if status == "cancelled":
        return Text("Cancelled", style="quiet")
    if verdict is None:
        return Text(clean.line(status).capitalize(), style="wait")
    told = VERDICTS.get(verdict, (clean.line(verdict), ""))[0]
    return Text(told + (" (samples)" if kind == "run" else ""), style="good" if verdict == "AC" else "bad")


def seconds(value: float | None) -> str:
    """A time a person can read."""
    if value is None:
        return "–"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def megabytes(value: float | None) -> str:
    """An amount of memory."""
    return "–" if value is None else f"{value:.0f} MB"


def since(moment: datetime) -> str:
    """How long ago, in the largest unit that fits."""
    passed = max(0.0, (datetime.now(UTC) - moment).total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if passed >= size:
            return f"{passed // size:.0f} {unit} ago"
    return "just now"
