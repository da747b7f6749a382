"""Text that people send: what no file can hold is refused everywhere, what could fool a reader is refused in names."""

import re
import unicodedata
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

BAD = re.compile("[\x00\ud800-\udfff]")
# Controls, separators of lines, marks that turn the direction of what stands around them, letters that cannot be seen.
# The joiners U+200C and U+200D stay: Persian and Indian scripts need them.
MISLEADING = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def clean_text(text: Any) -> Any:
    """Refuse what no source file can hold, and say where it is (line and column from 1)."""
    found = BAD.search(text) if isinstance(text, str) else None
    if found is None:
        return text
    before = text[: found.start()]
    line, column = before.count("\n") + 1, found.start() - (before.rfind("\n") + 1) + 1
    raise PydanticCustomError("bad_text", "{what} at line {line}, column {column}: remove it or save the text as UTF-8", {
        "what": _named(found.group()), "line": line, "column": column,
    })  # fmt: skip


def clean_line(text: Any) -> Any:
    """Refuse characters that are not seen but change how the text around them is read."""
    found = MISLEADING.search(text) if isinstance(text, str) else None
    if found is None:
        return text
    told = {"code": f"U+{ord(found.group()):04X}", "place": found.start() + 1}
    raise PydanticCustomError("bad_line", "character {place} ({code}) cannot be seen or printed: remove it", told)


def one_form(text: str) -> str:
    """The same letters are the same characters, whatever their width or composition, with single spaces between."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def printable(text: str) -> str:
    """The text with such characters replaced, for what is stored or logged without asking."""
    return MISLEADING.sub(REPLACEMENT, text)


def _named(character: str) -> str:
    code = ord(character)
    if code == 0:
        return "a NUL character"
    # The request's bytes are decoded with `surrogateescape`, which maps an impossible byte b to U+DC00 + b.
    return f"a byte that is not UTF-8 (0x{code - 0xDC00:02x})" if 0xDC80 <= code <= 0xDCFF else "half a surrogate pair"


# Last in an `Annotated`, so that lengths are still the string's own and stand in the description.
CleanText = BeforeValidator(clean_text)
CleanLine = BeforeValidator(clean_line)
Text = Annotated[str, CleanText]
