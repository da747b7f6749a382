"""Text that others wrote, made harmless for a terminal: escape sequences, controls and invisible marks become visible."""

import re

# C0 and C1 controls, marks that turn the direction of what stands around them, letters that cannot be seen.
# Tabs and line ends stay in blocks. The joiners U+200C and U+200D stay: Persian and Indian scripts need them.
_MISLEADING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def block(text: str) -> str:
    """Several lines: controls become U+FFFD, tabs become spaces."""
    return _MISLEADING.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n")).expandtabs(4)


def line(text: str) -> str:
    """One line: line ends and tabs become spaces."""
    return " ".join(block(text).split())
