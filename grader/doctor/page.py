"""Prints the findings in groups. Each finding has a mark, the measurement and the advice. The marks differ in shape as well as
in colour, so the page is readable without colours.
"""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.doctor.findings import Finding, Group, State, exit_code

MARKS = {
    State.OK: ("✓", "green"),
    State.WARNING: ("!", "yellow"),
    State.FAILED: ("✗", "red"),
    State.UNSEEN: ("?", "red"),
}
PLAIN = {"✓": "+", "✗": "x", "→": "->"}
TITLE_WIDTH = 18
WIDEST = 100
_VERDICTS = {
    0: ("This host isolates.", "green"),
    1: ("A required check failed. No node judges here while a line under «Isolation» fails.", "red"),
    2: ("Not everything could be checked.", "red"),
}


def show(console: Console, findings: Sequence[Finding]) -> None:
    """Print all findings, and a summary."""
    for group in Group:
        lines = [found for found in findings if found.group is group]
        if lines:
            console.print()
            console.print(Text(_fit(console, group.value), "bold"))
            console.print(Padding(_table(console, lines), (0, 0, 0, 2)), width=min(console.width, WIDEST))
    console.print()
    console.print(_summary(console, findings))


def _table(console: Console, lines: Sequence[Finding]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=1, no_wrap=True)
    table.add_column(width=TITLE_WIDTH)
    table.add_column(overflow="fold")
    for found in lines:
        mark, style = MARKS[found.state]
        title = Text(_fit(console, found.title), style if found.state is not State.OK else "")
        table.add_row(Text(_fit(console, mark), style), title, Text(_fit(console, found.measured)))
        if found.advice:
            table.add_row("", "", Text(_fit(console, f"→ {found.advice}"), style))
    return table


def _summary(console: Console, findings: Sequence[Finding]) -> Text:
    counts = {state: sum(found.state is state for found in findings) for state in State}
    warnings = counts[State.WARNING]
    words = f"{counts[State.OK]} ok, {warnings} warning{'' if warnings == 1 else 's'}, {counts[State.FAILED]} failed"
    words += f", {counts[State.UNSEEN]} not checked" if counts[State.UNSEEN] else ""
    verdict, style = _VERDICTS[exit_code(findings)]
    return Text.assemble(f"{words}. ", (_fit(console, verdict), f"bold {style}"))


def _fit(console: Console, text: str) -> str:
    """Replace the characters that the terminal's encoding cannot represent."""
    try:
        text.encode(console.encoding)
    except UnicodeEncodeError:
        for sign, plain in PLAIN.items():
            text = text.replace(sign, plain)
        return text.encode(console.encoding, "replace").decode(console.encoding)
    return text
