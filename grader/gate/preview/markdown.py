"""Converts Markdown to HTML as the site does: TeX becomes MathML, code is highlighted, and raw HTML is shown as text."""

from html import escape
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

FORMATTER = HtmlFormatter(nowrap=True)


def html(text: str) -> str:
    """Convert a Markdown text to HTML."""
    return str(_READER.render(text))


def code(text: str) -> str:
    """Convert Python code to highlighted HTML."""
    return f'<pre class="code">{highlight(text, PythonLexer(), FORMATTER)}</pre>'


def _math(content: str, options: dict[str, Any]) -> str:
    display = "block" if options["display_mode"] else "inline"
    try:
        return str(convert(content, display=display))
    except Exception as error:  # a formula that cannot be parsed is shown as its source, so that the author sees it
        return f'<span class="bad" title="{escape(type(error).__name__)}">{escape(content)}</span>'


def _fence(text: str, info: str, _attributes: str) -> str:
    language = info.partition(" ")[0]
    if language == "python":
        return code(text)
    kind = "output" if language == "output" else "code"
    return f'<pre class="{kind}">{escape(text)}</pre>'


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "highlight": _fence, "typographer": False}).enable("table")
    reader.use(dollarmath_plugin, renderer=_math)
    return reader


_READER = _reader()
