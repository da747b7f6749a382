"""Renders statements in the terminal: Markdown with Rich, and formulas as Unicode text."""

import re

from rich.console import RenderableType
from rich.markdown import Markdown

from frontend.cli import clean
from frontend.cli.rendering.maths import to_unicode

# Code is the first alternative of the pattern, so a dollar sign in code does not begin a formula.
_PIECE = re.compile(
    r"(?P<code>^(?P<fence>```+|~~~+)[^\n]*\n.*?^(?P=fence)[^\n]*$|`+[^`\n]+`+)"
    r"|\$\$(?P<display>.+?)\$\$"
    r"|(?<![\\$\w])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?!\d)",
    re.DOTALL | re.MULTILINE,
)
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~])")


def rendered(markdown: str) -> RenderableType:
    """Renders a statement. Links show their URL, so that a link's text cannot hide where it leads."""
    return Markdown(with_formulas(clean.block(markdown)), hyperlinks=False, code_theme="ansi_dark")


def with_formulas(markdown: str) -> str:
    """Replaces the formulas in Markdown by readable text. Code is left unchanged."""
    return _PIECE.sub(_replaced, markdown)


def _replaced(found: re.Match[str]) -> str:
    if found["code"]:
        return found["code"]
    if found["inline"]:
        return _escaped(" ".join(to_unicode(found["inline"]).split("\n")))
    lines = "  \n".join(f"> {_escaped(line)}" for line in to_unicode(found["display"]).split("\n"))
    return f"\n\n{lines}\n\n"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
