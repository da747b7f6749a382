"""Provides what all commands need to print: the colours, the console, and the texts for verdicts, durations and sizes."""

import sys
from datetime import UTC, datetime

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from frontend.cli import clean

# Only the sixteen ANSI colours are used. Terminals choose these colours to be legible on their own background, light or dark.
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
    "WA": ("Wrong answer", "It ran, and at least one test failed."),
    "RE": ("Runtime error", "It raised an exception or crashed."),
    "TLE": ("Time limit exceeded", "It took longer than the limit."),
    "MLE": ("Memory limit exceeded", "It used more memory than the limit."),
    "OLE": ("Output limit exceeded", "It printed more than the limit."),
    "CE": ("Does not compile", "Python could not compile it, or a required name is missing."),
    "RV": ("Not allowed", "It uses something that this challenge does not allow."),
    "JE": ("Judge error", "The judge failed because of an error on our side. This does not count. Submit again."),
}
NARROW = 76


def console(*, errors: bool = False) -> Console:
    """Creates a console. It uses colours only on a terminal without NO_COLOR, and never interprets text as markup."""
    stream = sys.stderr if errors else sys.stdout
    if hasattr(stream, "reconfigure"):
        # If the terminal cannot show a character, print a replacement instead of failing.
        stream.reconfigure(errors="replace")
    return Console(stderr=errors, theme=THEME, markup=False, emoji=False, highlight=False)


def notice(text: str) -> None:
    """Prints a dimmed line on stderr, so that stdout contains only the result when it is piped."""
    console(errors=True).print(Text(clean.line(text), style="quiet"))


def show(console: Console, what: RenderableType, width: int | None = None) -> None:
    """Prints a picture, a table or a page. If the output is a file or a pipe, removes the spaces at the ends of lines."""
    if console.is_terminal:
        console.print(what, width=width)
        return
    with console.capture() as captured:
        console.print(what, width=width)
    console.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False, header_style="quiet", expand=False)


def verdict_text(status: str, verdict: str | None, kind: str = "submit") -> Text:
    """Returns the name of the verdict, or the status while there is no verdict."""
    if status == "cancelled":
        return Text("Cancelled", style="quiet")
    if verdict is None:
        return Text(clean.line(status).capitalize(), style="wait")
    name = VERDICTS.get(verdict, (clean.line(verdict), ""))[0]
    if kind == "compare":
        name = {"AC": "Matches", "WA": "Differs"}.get(verdict, name)
    note = {"run": " (samples)", "scratch": " (snippet)", "compare": " (own input)"}.get(kind, "")
    return Text(name + note, style="good" if verdict == "AC" else "bad")


def seconds(value: float | None) -> str:
    """Formats a duration given in seconds."""
    if value is None:
        return "–"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def megabytes(value: float | None) -> str:
    """Formats an amount of memory given in MB."""
    return "–" if value is None else f"{value:.0f} MB"


def since(moment: datetime) -> str:
    """Formats how long ago a moment was, in days, hours or minutes. Less than a minute is "just now"."""
    passed = max(0.0, (datetime.now(UTC) - moment).total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if passed >= size:
            return f"{passed // size:.0f} {unit} ago"
    return "just now"
