"""Runnable examples in Markdown: a `python` block directly followed by an `output` block, which holds what it prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

FENCE = re.compile(r"^```[ \t]*(?P<info>[^`\n]*)$", re.MULTILINE)
PYTHON = re.compile(r"python(?: raises=(?P<raises>\w+))?")


@dataclass(frozen=True)
class Example:
    """One example: its code, the output that stands below it, and the exception that it is meant to end with."""

    code: str
    output: str
    raises: str
    line: int
    span: tuple[int, int]


@dataclass(frozen=True)
class _Block:
    info: str
    start: int
    body: tuple[int, int]
    end: int


def examples(text: str) -> list[Example]:
    """The examples of a Markdown text in order."""
    return [
        Example(
            code=text[slice(*block.body)],
            output=text[slice(*below.body)],
            raises=python["raises"] or "",
            line=text.count("\n", 0, block.start) + 1,
            span=below.body,
        )
        for block, below in pairwise(_blocks(text))
        if (python := PYTHON.fullmatch(block.info))
        and below.info == "output"
        and not text[block.end : below.start].strip()
    ]


def filled_in(text: str, outputs: list[str]) -> str:
    """The text with every example's output replaced, in order."""
    for example, output in reversed(list(zip(examples(text), outputs, strict=True))):
        start, end = example.span
        text = text[:start] + (output if not output or output.endswith("\n") else output + "\n") + text[end:]
    return text


def _blocks(text: str) -> Iterator[_Block]:
    """Fenced blocks with where they lie; the fence that ends a block has no info string."""
    opened = None
    for fence in FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif not fence["info"].strip():
            yield _Block(opened["info"].strip(), opened.start(), (opened.end() + 1, fence.start()), fence.end())
            opened = None
