"""Tests the pictures of topics and editorials. Each is in the place to which its page refers, matches the code that draws it,
and is small.
"""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from challenges.pictures.__main__ import HERE, pictures
from challenges.pictures.style import alike, svg
from grader.content.pictures import MOST_BYTES

DRAWN = pictures()


def named(path: Path) -> str:
    return str(path.relative_to(HERE).with_suffix(""))


@pytest.mark.parametrize("path", DRAWN, ids=named)
def test_committed_as_drawn(path: Path) -> None:
    assert path.is_file(), f"{path} is missing: python -m challenges.pictures"
    assert alike(path.read_text(), svg(DRAWN[path])), (
        f"{path} is not what the code draws: python -m challenges.pictures"
    )


@pytest.mark.parametrize("path", DRAWN, ids=named)
def test_small_and_harmless(path: Path) -> None:
    text = path.read_text()
    assert len(text.encode()) <= MOST_BYTES
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", path.stem)
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
    assert not names & {"script", "foreignObject", "image", "a", "animate", "set"}
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"', "", text)


def test_no_picture_without_code() -> None:
    assert {path for path in HERE.glob("*/**/pictures/*") if path.parent != HERE / "pictures"} == set(DRAWN)
