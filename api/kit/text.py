"""Validates text from users. NUL characters and lone surrogates are refused in all text; invisible and misleading
characters are refused in names and other one-line values.
"""

import re
import unicodedata
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

BAD = re.compile("[\x00\ud800-\udfff]")
# Control characters, line separators, characters that change the direction of text, and invisible letters. The joiners
# U+200C and U+200D are allowed, because Persian and Indian scripts need them.
MISLEADING = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def clean_text(text: Any) -> Any:
    """Refuse text that contains a NUL character or a lone surrogate. Python source cannot contain them. The error names the
    position of the first such character (line and column, counted from 1).
    """
    found = BAD.search(text) if isinstance(text, str) else None
    if found is None:
        return text
    before = text[: found.start()]
    line, column = before.count("\n") + 1, found.start() - (before.rfind("\n") + 1) + 1
    raise PydanticCustomError("bad_text", "{what} at line {line}, column {column}: remove it or save the text as UTF-8", {
        "what": _named(found.group()), "line": line, "column": column,
    })  # fmt: skip


def clean_line(text: Any) -> Any:
    """Refuse text with an invisible character, or with a character that changes how the text around it is displayed."""
    found = MISLEADING.search(text) if isinstance(text, str) else None
    if found is None:
        return text
    context = {"code": f"U+{ord(found.group()):04X}", "place": found.start() + 1}
    raise PydanticCustomError("bad_line", "character {place} ({code}) cannot be seen or printed: remove it", context)


def normalized(text: str) -> str:
    """Return the text in Unicode normal form NFKC, with each run of whitespace replaced by one space."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def printable(text: str) -> str:
    """Replace control characters and misleading characters, for text that is stored or logged without validation."""
    return MISLEADING.sub(REPLACEMENT, text)


def _named(character: str) -> str:
    code = ord(character)
    if code == 0:
        return "a NUL character"
    # Request bodies are decoded with `surrogateescape`, which replaces an invalid byte b by the lone surrogate U+DC00 + b.
    return f"a byte that is not UTF-8 (0x{code - 0xDC00:02x})" if 0xDC80 <= code <= 0xDCFF else "half a surrogate pair"


# In an `Annotated`, put these validators last. Otherwise length limits would not apply to the string itself, and would not
# appear in the OpenAPI description.
CleanText = BeforeValidator(clean_text)
CleanLine = BeforeValidator(clean_line)
Text = Annotated[str, CleanText]
