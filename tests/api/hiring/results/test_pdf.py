"""Tests reports as PDF: all text can be read, in every script, and a character that no font has appears as its code point."""

import re
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped]
from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]

from api.hiring.results.pdf import arabic
from api.hiring.results.pdf import program as pdf
from api.hiring.results.pdf.program import Report
from api.hiring.results.pdf.text_answer_blocks import reached, written
from api.hiring.taking.question_items import AboutCode, MarkedCode, WrittenAnswer

# PDF operators: `Tf` selects a font, and `Tj` draws a string. In a string, brackets and backslashes are escaped.
DRAWN = re.compile(rb"/F(\d+) [\d.]+ Tf|\(((?:[^()\\]|\\.)*)\) Tj", re.DOTALL)
ARABIC, DRAWN_ARABIC = "محمد (علي)", "(\ufef2\ufee0\ufecb) \ufeaa\ufee4\ufea4\ufee3"

# No two of these letters look alike, not even when they are joined to their neighbours. A text with one word per letter fills
# several lines.
HEBREW, ARABIC_LETTERS = "אבגדהוזחטילמנסעפצקרשת", "بتثجحسشصضطظعغفقكلمنهي"


def read(title: str, *blocks: dict[str, Any]) -> str:
    """Return all text that a report draws, in drawing order."""
    given = {"name": "", "title": title, "under": "", "made_at": "today", "blocks": blocks}
    report = Report(arabic.everywhere(given))
    report.set_compression(False)
    content, signs = report.draw(), {}
    fonts: Any = report.fonts.values()
    for font in fonts:
        signs[str(font.i)] = {code: chr(glyph.unicode[0]) for glyph, code in font.subset.items()}
    face, found = "", ""
    for number, drawn in DRAWN.findall(content):
        if number:
            face = number.decode()
            continue
        codes = re.sub(
            rb"\\(.)", lambda escaped: {b"n": b"\n", b"r": b"\r"}.get(escaped[1], escaped[1]), drawn, flags=16
        )
        found += "".join(signs[face][high * 256 + low] for high, low in zip(codes[::2], codes[1::2], strict=True))
    return found


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a machine on which no fonts are installed."""
    monkeypatch.setattr(pdf, "OF_THE_MACHINE", ())


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", ["Zoë Ångström", "Ольга Νίκος", "😀 Jo", "(a\\b)"])
def test_what_is_written_can_be_read(name: str) -> None:
    table = {"kind": "table", "head": ["Name", "Points"], "widths": [1, 1], "rows": [[name, "3"]], "left": 1}
    code = {"kind": "code", "source": f"x = 1  # {name}"}
    assert read(name, table, code).count(name) == 3


@pytest.mark.usefixtures("bare")
def test_arabic_and_hebrew_are_joined_and_run_from_the_right() -> None:
    assert DRAWN_ARABIC in read(ARABIC)
    assert "ןהכ םהרבא" in read("אברהם כהן")
    assert "\ufefc\ufeb3" in read("سلا"), "lam and alef are one sign"


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("letters", [HEBREW, ARABIC_LETTERS], ids=["Hebrew", "Arabic"])
@pytest.mark.parametrize("begin", ["", "Read: "])
def test_lines_from_the_right_stand_in_the_order_of_reading(letters: str, begin: str) -> None:
    words = [letter * 7 for letter in letters]
    text = begin + " ".join(words)
    blocks: list[dict[str, Any]] = [
        {"kind": "text", "text": f"Above.\n\n{text}"},
        {"kind": "note", "author": "Ada", "text": text},
        {"kind": "table", "head": ["Note", "Points"], "widths": [1, 1], "rows": [[text, "3"]], "left": 1},
        {"kind": "code", "source": f"# {text}"},
    ]
    for block in blocks:
        drawn = unicodedata.normalize("NFKC", read("", block))
        places = [drawn.index(letter) for letter in letters]
        # A line is drawn from left to right, but Hebrew and Arabic are read from right to left, so the second word is drawn
        # before the first one. The last line is drawn last.
        assert places[1] < places[0] < places[-1], block["kind"]


@pytest.mark.usefixtures("bare")
def test_what_no_font_has_is_told_by_its_numbers() -> None:
    assert "[U+5F20 4F1F] Zhang Wei" in read("张伟 Zhang Wei")
    assert "[U+0905]" in read("अ")


def test_a_font_of_the_machine_is_used_where_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "OF_THE_MACHINE", (tmp_path / "nowhere.ttf", _font(tmp_path / "own.ttf", "张伟")))
    assert "张伟 Zhang Wei" in read("张伟 Zhang Wei")


def _font(path: Path, signs: str) -> Path:
    """Create a font that has only these characters, each drawn as a square."""
    pen = TTGlyphPen(None)
    for act, point in ((pen.moveTo, (0, 0)), (pen.lineTo, (0, 500)), (pen.lineTo, (500, 500)), (pen.lineTo, (500, 0))):
        act(point)
    pen.closePath()
    square = pen.glyph()
    names = [".notdef", *(f"sign{number}" for number in range(len(signs)))]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(sign): name for sign, name in zip(signs, names[1:], strict=True)})
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Own", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    return path


@pytest.mark.usefixtures("bare")
def test_a_text_is_drawn_with_the_code_that_it_is_about() -> None:
    about = AboutCode(
        position=1,
        title="Add one",
        source="x = 3\n",
        digest="1" * 64,
        marked=MarkedCode(source="x = 1\ny = 2\n", digest="0" * 64, submission_id=None, lines=[[2, 2], [1, 1]]),
        changed=True,
    )
    saved_at = datetime(2026, 5, 4, 9, 20, tzinfo=UTC)
    answer = WrittenAnswer(prompt="Why?", text="<b>Because</b>", saved_at=saved_at, about=about)
    drawn = read("Eve", *written(answer))
    for part in ("Why?", "<b>Because</b>", "x = 1", "y = 2", "these lines of “Add one”: 2, 1.", "changed this code"):
        assert part in drawn, part
    assert "Nothing was written." in read("Eve", *written(answer.model_copy(update={"saved_at": None, "text": ""})))


def test_a_score_says_what_is_still_to_review() -> None:
    assert (reached(34, 50, 10), reached(34.5, 50, 0)) == ("34 of 50, 10 to review", "34.5 of 50")
