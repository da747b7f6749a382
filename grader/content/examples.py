"""Finds runnable examples in Markdown: a `python` block directly followed by an `output` block with what the code prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

FENCE = re.compile(r"^```[ \t]*(?P<info>[^`\n]*)$", re.MULTILINE)
PYTHON = re.compile(r"python(?: raises=(?P<raises>\w+))?")


@dataclass(frozen=True)
class Example:
    """One example: its code, the output below it, and the exception that it should raise (empty if none).

    `line` is the 1-based line of the code block. `span` is where the output begins and ends in the text.
    """

    code: str
    output: str
    raises: str
    line: int
    span: tuple[int, int]


@dataclass(frozen=True)
class Block:
    """A fenced block: the word after its opening fence, and where it starts, where its content is, and where it ends."""

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
    """Replace the outputs of all examples in a text. `outputs` holds one output for each example, in order."""
    for example, output in reversed(list(zip(examples(text), outputs, strict=True))):
        start, end = example.span
        text = text[:start] + (output if not output or output.endswith("\n") else output + "\n") + text[end:]
    return text


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks with their positions. A fence with an info string does not close a block."""
    opened = None
    for fence in FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif not fence["info"].strip():
            yield Block(opened["info"].strip(), opened.start(), (opened.end() + 1, fence.start()), fence.end())
            opened = None
