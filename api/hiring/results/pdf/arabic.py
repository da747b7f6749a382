"""Shapes Arabic text for PDF. It replaces each letter by the form that the letter has next to its neighbours, because the PDF
library draws characters one by one. The forms come from Python's `unicodedata`, so no other library is needed.
"""

import unicodedata
from typing import Any


def everywhere(value: Any) -> Any:
    """Return a copy of a JSON value in which the Arabic text of all strings is shaped."""
    if isinstance(value, dict):
        return {key: everywhere(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [everywhere(one) for one in value]
    return joined(value) if isinstance(value, str) else value


def _forms() -> dict[str, dict[str, str]]:
    """Return the forms of each Arabic letter (isolated, initial, medial, final) from Unicode. Of the ligatures, only lam with
    alef is included.
    """
    found: dict[str, dict[str, str]] = {}
    for code in (*range(0xFB50, 0xFBB2), *range(0xFE80, 0xFEFD)):
        kind, *letters = unicodedata.decomposition(chr(code)).split() or ["", ""]
        found.setdefault("".join(chr(int(one, 16)) for one in letters if one), {})[kind.strip("<>")] = chr(code)
    return found


FORMS = _forms()


def joined(text: str) -> str:
    """Return the text with Arabic letters in their contextual forms. Combining marks stay with the preceding letter and do
    not affect the forms.
    """
    if text.isascii() or not any(unicodedata.bidirectional(char) == "AL" for char in text):
        return text
    units = [""]
    for char in unicodedata.normalize("NFC", text):
        if unicodedata.combining(char) or (units[-1] + char in FORMS and units[-1] == "\u0644"):
            units[-1] += char
        else:
            units.append(char)
    letters = [unit if unit in FORMS else unit[:1] for unit in units]
    found = ""
    for unit, before, letter, after in zip(units, ["", *letters], letters, [*letters[1:], ""], strict=False):
        own = FORMS.get(letter, {})
        joins = (
            "final" in own and "initial" in FORMS.get(before, {}),
            "initial" in own and "final" in FORMS.get(after, {}),
        )
        kind = {(True, True): "medial", (True, False): "final", (False, True): "initial"}.get(joins, "isolated")
        found += own.get(kind, letter) + unit[len(letter) :]
    return found
