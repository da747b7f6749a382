"""Generates the table of attacks in SECURITY.md from the programs' headers."""

from pathlib import Path

from tests.attacks.catalogue import GROUPS, Tried, elsewhere, key, tried

SECURITY = Path(__file__).resolve().parents[2] / "SECURITY.md"
BEGIN, END = "<!-- attacks: begin -->\n", "<!-- attacks: end -->\n"


def written(text: str) -> str:
    """Return `text` with a new table between its two marks. Raise ValueError if a mark is missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"SECURITY.md needs the lines {BEGIN.strip()} and {END.strip()}")
    return before + begin + tables() + end + after


def tables() -> str:
    """Return one table per group, with a row for every program, and a row for every line of the catalogue that has none."""
    programs, reasons = tried(), elsewhere()
    parts = [_group(letter, [p for p in programs if p.line[0] == letter], reasons) for letter in GROUPS]
    return "\n".join(parts)


def _group(letter: str, programs: list[Tried], reasons: dict[str, str]) -> str:
    rows = [(key(p.line), f"| {p.line} | {_cell(p.tries)} | {_cell(p.expect)} |") for p in programs]
    rows += [
        (key(line), f"| {line} | *no program:* {_cell(why)} | |") for line, why in reasons.items() if line[0] == letter
    ]
    head = [
        f"### {letter}. {GROUPS[letter].title}",
        "",
        "| line | what the answer tries | how it must end |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *(row for _, row in sorted(rows)), ""])


def _cell(text: str) -> str:
    """Escape a text for a cell of a Markdown table. Verdicts such as WA|RE are separated by commas instead."""
    return text.replace("|", ", " if text.replace("|", "").isupper() else "\\|").replace("<", "&lt;")
