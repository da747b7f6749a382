"""Finds runnable examples in Markdown. An example is a `python` block directly followed by an `output` block, which contains
what the code prints.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

FENCE = re.compile(r"^```[ \t]*(?P<info>[^`\n]*)$", re.MULTILINE)
PYTHON = re.compile(r"python(?: raises=(?P<raises>\w+))?")


@dataclass(frozen=True)
class Example:
    """A runnable example: its code, the output below the code, and the name of the exception that the code should raise (empty
    if none).

    `line` is the number of the line on which the code block begins, counted from 1. `span` is the start and the end of the
    output in the Markdown text.
    """

    code: str
    output: str
    raises: str
    line: int
    span: tuple[int, int]


@dataclass(frozen=True)
class Block:
    """A fenced block of Markdown. `info` is the text after the opening fence, such as the language. The other fields are
    positions in the text: where the block starts, where its content starts and ends (`body`), and where the block ends.
    """

    info: str
    start: int
    body: tuple[int, int]
    end: int


def examples(text: str) -> list[Example]:
    """Return the examples of a Markdown text in order."""
    return [
        Example(
            code=text[slice(*block.body)],
            output=text[slice(*below.body)],
            raises=python["raises"] or "",
            line=text.count("\n", 0, block.start) + 1,
            span=below.body,
        )
        for block, below in pairwise(blocks(text))
        if (python := PYTHON.fullmatch(block.info))
        and below.info == "output"
        and not text[block.end : below.start].strip()
    ]


def filled_in(text: str, outputs: list[str]) -> str:
    """Return the text with new outputs below its examples. `outputs` contains the new output of each example, in order."""
    for example, output in reversed(list(zip(examples(text), outputs, strict=True))):
        start, end = example.span
        text = text[:start] + (output if not output or output.endswith("\n") else output + "\n") + text[end:]
    return text


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks with their positions. A fence that is followed by text, such as a language, does not close a
    block.
    """
    opened = None
    for fence in FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif not fence["info"].strip():
            yield Block(opened["info"].strip(), opened.start(), (opened.end() + 1, fence.start()), fence.end())
            opened = None
