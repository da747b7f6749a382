"""Arabic letters as they look beside their neighbours, for paper, which draws one sign after the other. It needs no library."""

import unicodedata
from typing import Any


def everywhere(value: Any) -> Any:
    """JSON whose texts are joined."""
    if isinstance(value, dict):
        return {key: everywhere(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [everywhere(one) for one in value]
    return joined(value) if isinstance(value, str) else value


def _forms() -> dict[str, dict[str, str]]:
    """How Arabic letters look (isolated, initial, medial, final), as Unicode lists it. Of pairs only lam with alef has a form."""
    found: dict[str, dict[str, str]] = {}
    for code in (*range(0xFB50, 0xFBB2), *range(0xFE80, 0xFEFD)):
        kind, *letters = unicodedata.decomposition(chr(code)).split() or ["", ""]
        found.setdefault("".join(chr(int(one, 16)) for one in letters if one), {})[kind.strip("<>")] = chr(code)
    return found


FORMS = _forms()


def joined(text: str) -> str:
    """Arabic letters as they look beside their neighbours. Marks belong to the letter before them, and join nothing."""
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
