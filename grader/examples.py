"""Runnable examples in Markdown: a `python` block directly followed by an `output` block, which holds what it prints."""

import re
from dataclasses import dataclass

BLOCK = re.compile(
    r"^```python(?: raises=(?P<raises>\w+))?[ \t]*\n(?P<code>.*?)^```[ \t]*\n(?P<between>[ \t\n]*)"
    r"^```output[ \t]*\n(?P<output>.*?)^```[ \t]*$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Example:
    """One example: its code, the output that stands below it, and the exception that it is meant to end with."""

    code: str
    output: str
    raises: str
    line: int
    span: tuple[int, int]


def examples(text: str) -> list[Example]:
    """The examples of a Markdown text in order."""
    return [
        Example(
            code=found["code"],
            output=found["output"],
            raises=found["raises"] or "",
            line=text.count("\n", 0, found.start()) + 1,
            span=found.span("output"),
        )
        for found in BLOCK.finditer(text)
        if "```" not in found["code"]
    ]


def filled_in(text: str, outputs: list[str]) -> str:
    """The text with every example's output replaced, in order."""
    for example, output in reversed(list(zip(examples(text), outputs, strict=True))):
        start, end = example.span
        text = text[:start] + (output if not output or output.endswith("\n") else output + "\n") + text[end:]
    return text
