"""Makes text from other users safe to print in a terminal. Replaces control characters and invisible characters by U+FFFD."""

import re

# C0 and C1 control characters, marks that change the text direction, and invisible letters. Tabs and newlines are not included.
# The joiners U+200C and U+200D are not included either, because Persian and Indian scripts need them.
_MISLEADING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def block(text: str) -> str:
    """Cleans text of several lines: control and invisible characters become U+FFFD, tabs become spaces."""
    return _MISLEADING.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n")).expandtabs(4)


def line(text: str) -> str:
    """Cleans text like `block`, and puts it on one line: each sequence of white space becomes one space."""
    return " ".join(block(text).split())
