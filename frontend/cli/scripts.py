"""Prints output for scripts. Only JSON is written to stdout."""

import sys
from typing import Annotated, Any

import msgspec
import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


def print_json(value: Any) -> None:
    """Prints one JSON document. Escapes all non-ASCII characters and DEL, so that no text can control the terminal."""
    text = msgspec.json.format(msgspec.json.encode(value)).decode()
    sys.stdout.write("".join(each if each.isascii() and each != "\x7f" else _escaped(each) for each in text) + "\n")


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
