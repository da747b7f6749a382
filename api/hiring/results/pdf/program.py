"""A separate program that reads a report as JSON and draws it as PDF. The report is an object with a list of blocks:

{"name", "title", "under", "made_at", "logo": null | {"png": Base64, "size": [width, height] in millimetres}, "blocks": [block]}
block: {"kind": "heading", "text"} | {"kind": "text", "text"} | {"kind": "facts", "facts": [[figure, label]]}
     | {"kind": "bars", "bars": [[label, count]], "under"} | {"kind": "code", "source", "marked": [[first, last line]]}
     | {"kind": "note", "author", "text"}
     | {"kind": "table", "head": [text], "widths": [number], "rows": [[text]], "left": number of left-aligned columns,
        "marked": [index of a row to highlight]}

Arabic text must already be shaped (`arabic.py`). Lines are broken in reading order and then reordered for drawing from left
to right. Characters that no font has are written as Unicode numbers in brackets.
"""

import itertools
import json
import os
import sys
import unicodedata
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Any

from fpdf import FPDF, XPos, YPos
from fpdf.bidi import BidiParagraph, auto_detect_base_direction
from fpdf.enums import TableBordersLayout, TextDirection, WrapMode
from fpdf.fonts import FontFace

FONTS = Path(__file__).parent / "fonts"
FILES = {
    ("sans", ""): "plex-sans-400.ttf",
    ("sans", "B"): "plex-sans-600.ttf",
    ("mono", ""): "plex-mono-400.ttf",
    ("serif", ""): "source-serif-600.ttf",
    # This font is used for characters that the other fonts do not contain.
    ("more", ""): "dejavu-sans.ttf",
}
# A system font (Debian's fonts-droid-fallback). It is too large to bundle, and is loaded only if a report needs it.
OF_THE_MACHINE = (
    Path("/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf"),
    Path("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"),
)
INK, SOFT, LINE, SUNKEN, COBALT, MARIGOLD = "#1d1b18", "#5f5a52", "#e4dfd5", "#f6f3ed", "#2a4ab8", "#ffb020"
BAD, MARKED = "#b3261e", "#ffe3ab"
MARGIN, TILES, BAR_MM = 18.0, 4, 34.0
PADDING = (0.9, 1.2)
MIRRORED = {**dict(itertools.pairwise("()(")), **dict(itertools.pairwise("[][")), **dict(itertools.pairwise("«»«"))}
# The maximum numbers of lines of code, characters per line of code, and characters per table cell (a row must fit on a page).
MOST_LINES, MOST_WIDE, MOST_IN_CELL = 600, 400, 200
Block = dict[str, Any]


class TextPage(FPDF):
    """A PDF with A4 pages that uses the site's fonts and can contain text in any script."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__(format="A4")
        self.given = given
        for (family, style), file in FILES.items():
            self.add_font(family, style, FONTS / file)
        self.set_fallback_fonts(["more", *self._of_the_machine()], exact_match=False)
        # Switch off the text that fpdf replaces by the number of pages, because a candidate's text may contain it.
        self.str_alias_nb_pages = ""
        self.set_margins(MARGIN, MARGIN, MARGIN)
        self.set_auto_page_break(True, margin=20)
        self.set_title(given["title"])
        self.set_lang("en")
        self.set_creator("Gradus")

    def _of_the_machine(self) -> list[str]:
        """Load a system font if the bundled fonts lack a character. Return its name in a list, or an empty list."""
        characters = {ord(char) for char in json.dumps(self.given, ensure_ascii=False)}
        if characters <= {*self.fonts["more"].cmap, *self.fonts["sans"].cmap}:  # type: ignore[union-attr]
            return []
        found = [path for path in OF_THE_MACHINE if path.is_file()][:1]
        for path in found:
            self.add_font("machine", "", path)
        return ["machine"] * len(found)

    def _words(self, text: str, high: float, *, sided: bool = False) -> None:
        """Draw paragraphs. With `sided`, paragraphs in right-to-left scripts are aligned on the right."""
        for part in self._printable(text).split("\n"):
            base = auto_detect_base_direction(part)
            side = "R" if sided and base == TextDirection.RTL else "L"
            self.multi_cell(0, high, self._laid(part, self.epw, base), align=side, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _face(self, family: str, style: str, size: float, colour: str) -> None:
        self.set_font(family, style, size)
        self.set_text_color(colour)

    def _cut(self, text: str, wide: float) -> str:
        """Return a line in drawing order (from left to right). A line that is wider than `wide` is cut, and «…» is added."""
        shown = self._shown(text)
        while text and self.get_string_width(shown) > wide:
            text = text[:-1]
            shown = f"{self._shown(text.rstrip())}…"
        return shown

    def _cell(self, text: str, wide: float) -> str:
        """Return the text of a table cell in drawing order (from left to right), cut to the maximum length."""
        line = " ".join(text.split())
        printable = self._printable(line if len(line) <= MOST_IN_CELL else f"{line[:MOST_IN_CELL]}…")
        return self._laid(printable, wide, auto_detect_base_direction(printable), padding=PADDING)

    def _shown(self, text: str) -> str:
        """Return a line in drawing order, which means that its characters are ordered from left to right."""
        printable = self._printable(text)
        return _turned(printable, auto_detect_base_direction(printable))

    def _laid(self, text: str, wide: float, base: TextDirection, **layout: Any) -> str:
        """Return a paragraph in drawing order, broken into lines that fit. Each line is ordered from left to right."""
        if not _has_right(text):
            return text
        # Keep a small margin, because the width of the same characters depends slightly on the order in which they are drawn.
        lines: Any = self.multi_cell(wide - 0.1, text=text, align="L", dry_run=True, output="LINES", **layout)
        return "\n".join(_turned(line, base) for line in lines)

    def _printable(self, text: str) -> str:
        """Return the text in reading order, with each run of characters that no font has replaced by their Unicode numbers."""
        fonts = (self.current_font, *(self.fonts[key] for key in self._fallback_font_ids))
        cmaps = [font.cmap for font in fonts]  # type: ignore[union-attr]

        def missing(char: str) -> bool:
            return char != "\n" and not any(ord(char) in cmap for cmap in cmaps)

        found = ""
        for lacks, run in itertools.groupby(_plain(text), missing):
            printable = "".join(run)
            found += f"[U+{' '.join(f'{ord(char):04X}' for char in printable)}]" if lacks else printable
        return found


class Report(TextPage):
    """A PDF report with a header, a footer, and one method for each kind of block."""

    def header(self) -> None:
        """Draw the names of the site and of the report above a line."""
        self.set_y(10)
        self._face("serif", "", 11, COBALT)
        self.cell(30, 6, "Gradus")
        self._face("sans", "", 8, SOFT)
        self.cell(0, 6, self._cut(self.given["name"], self.epw - 34), align="R")
        self.set_fill_color(MARIGOLD)
        self.rect(MARGIN, 17, 12, 0.7, style="F")
        self.set_fill_color(LINE)
        self.rect(MARGIN + 12, 17, self.epw - 12, 0.2, style="F")
        self.set_y(23)

    def footer(self) -> None:
        """Draw when the report was made, and the page number."""
        self.set_y(-14)
        self._face("sans", "", 8, SOFT)
        self.cell(self.epw / 2, 5, f"Made {self.given['made_at']}")
        self.cell(0, 5, f"Page {self.page_no()}", align="R")

    def draw(self) -> bytes:
        self.add_page()
        if logo := self.given.get("logo"):
            width, height = logo["size"]
            self.image(BytesIO(b64decode(logo["png"])), w=width, h=height)
            self.ln(3)
        self._face("serif", "", 22, INK)
        self._words(self.given["title"], 9.5)
        self._face("sans", "", 10, SOFT)
        self._words(self.given["under"], 5)
        for block in self.given["blocks"]:
            getattr(self, f"_{block['kind']}")(block)
        return bytes(self.output())

    def _heading(self, block: Block) -> None:
        self._room(24)
        self.ln(5)
        self._face("serif", "", 14, INK)
        self._words(block["text"], 7)
        self.ln(1)

    def _text(self, block: Block) -> None:
        self._face("sans", "", 9.5, INK)
        self._words(block["text"], 4.8, sided=True)
        self.ln(1.5)

    def _note(self, block: Block) -> None:
        self._room(10)
        self._face("sans", "", 8, SOFT)
        self._words(block["author"], 4.4)
        self._text(block)

    def _facts(self, block: Block) -> None:
        self.ln(4)
        facts = block["facts"]
        # Five facts fit in one row. In rows of four, the fifth would stand alone in a second row.
        across = 5 if len(facts) == 5 else TILES
        wide = (self.epw - 3 * (across - 1)) / across
        for number, (figure, label) in enumerate(facts):
            if number % across == 0:
                self._room(20)
                top = self.get_y()
            left = MARGIN + (number % across) * (wide + 3)
            self.set_draw_color(LINE)
            self.rect(left, top, wide, 17, round_corners=True, corner_radius=1.5)
            self.set_xy(left + 2.5, top + 2.5)
            self._face("serif", "", 15, INK)
            self.cell(wide - 5, 7, self._cut(figure, wide - 5))
            self.set_xy(left + 2.5, top + 10)
            self._face("sans", "", 8, SOFT)
            self.cell(wide - 5, 4, self._cut(label, wide - 5))
            self.set_xy(MARGIN, top + 20)

    def _bars(self, block: Block) -> None:
        self._room(BAR_MM + 16)
        most = max((count for _, count in block["bars"]), default=0) or 1
        top, wide = self.get_y() + 5, self.epw / len(block["bars"])
        for number, (label, count) in enumerate(block["bars"]):
            left, high = MARGIN + number * wide, BAR_MM * count / most
            self.set_fill_color(COBALT if count else LINE)
            self.rect(left + 1, top + BAR_MM - max(high, 0.3), wide - 2, max(high, 0.3), style="F")
            self._face("sans", "", 8, INK)
            self.set_xy(left, top + BAR_MM - high - 4.5)
            self.cell(wide, 4, str(count) if count else "", align="C")
            self._face("sans", "", 7, SOFT)
            self.set_xy(left, top + BAR_MM + 1)
            self.cell(wide, 4, label, align="C")
        self.set_xy(MARGIN, top + BAR_MM + 6)
        self._words(block["under"], 4)

    def _table(self, block: Block) -> None:
        self._face("sans", "", 8.5, INK)
        self.set_draw_color(LINE)
        # Cells without a fill colour of their own use the current fill colour, so it is reset to white.
        self.set_fill_color("#ffffff")
        words, marked = block["left"], FontFace(color=BAD)
        wide = [self.epw * width / sum(block["widths"]) for width in block["widths"]]
        with self.table(
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            col_widths=block["widths"],
            headings_style=FontFace(emphasis="BOLD", size_pt=8, color=SOFT),
            line_height=4.6,
            padding=PADDING,
            text_align=["LEFT"] * words + ["RIGHT"] * (len(block["head"]) - words),
            width=self.epw,
        ) as table:
            table.row(list(map(self._cell, block["head"], wide)))
            for number, row in enumerate(block["rows"]):
                style = marked if number in block.get("marked", ()) else None
                table.row(list(map(self._cell, row, wide)), style=style)
        self.ln(2)

    def _code(self, block: Block) -> None:
        lines = block["source"].expandtabs(4).splitlines()
        marked = {line for first, last in block.get("marked", ()) for line in range(first, last + 1)}
        self._face("mono", "", 7.5, INK)
        self.ln(1)
        for number, line in enumerate(lines[:MOST_LINES], 1):
            self.set_fill_color(MARKED if number in marked else SUNKEN)
            shown = line if len(line) <= MOST_WIDE else f"{line[:MOST_WIDE]} …"
            printable = f" {number:>{len(str(len(lines)))}}  {self._printable(shown)}"
            text = self._laid(printable, self.epw, TextDirection.LTR, wrapmode=WrapMode.CHAR)
            self.multi_cell(
                0, 3.9, text, align="L", fill=True, new_x=XPos.LMARGIN, new_y=YPos.NEXT, wrapmode=WrapMode.CHAR
            )
        if len(lines) > MOST_LINES:
            self._face("sans", "", 8, SOFT)
            self._words(f"{len(lines) - MOST_LINES} more lines are on this candidate's page.", 5)
        self.ln(2)

    def _room(self, high: float) -> None:
        """Start a new page unless the current page has room for `high` millimetres."""
        if self.will_page_break(high):
            self.add_page()


def _plain(text: str) -> str:
    """Return the text without invisible characters."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(char for char in composed if char == "\n" or unicodedata.category(char) not in ("Cc", "Cf", "Cs"))


def _has_right(text: str) -> bool:
    return not text.isascii() and any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def _turned(line: str, base: TextDirection) -> str:
    """Return a line in drawing order (from left to right). Parts in right-to-left scripts are reversed."""
    if not _has_right(line):
        return line
    drawn = BidiParagraph(line, base_direction=base).get_reordered_characters()
    return "".join(
        MIRRORED.get(one.character, one.character) if one.embedding_level % 2 else one.character for one in drawn
    )


def main() -> None:
    """Read the report from stdin as JSON, and write the PDF to stdout."""
    os.nice(5)
    sys.stdout.buffer.write(Report(json.load(sys.stdin)).draw())


if __name__ == "__main__":
    main()
