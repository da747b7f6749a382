"""Tests that code on pages is at most 72 columns wide, so that it fits beside the editor without a scroll bar at 1440 px."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.content import topic
from grader.content.examples import blocks
from grader.content.package import find

ROOT = Path(__file__).resolve().parents[2] / "challenges"
COLUMNS = 72
# The width of an error message is not checked, because torch words the message and the site wraps it.
ERROR = re.compile(r"^\w+(?:Error|Exception): (?:.*\n)*", re.MULTILINE)
FOLDERS = [*find(ROOT), *topic.find(ROOT)]


def code_on_pages(folder: Path) -> Iterator[str]:
    """Yield the code blocks and outputs that the site shows for a challenge or a topic."""
    for path in sorted(folder.glob("*.md")):
        text = path.read_text()
        for block in blocks(text):
            code = text[slice(*block.body)]
            yield ERROR.sub("", code) if block.info == "output" else code
    if (folder / "topic.toml").is_file():
        for pitfall in tomllib.loads((folder / "topic.toml").read_text()).get("pitfall", []):
            yield from (pitfall["wrong"], pitfall["right"])


@pytest.mark.parametrize("folder", FOLDERS, ids=[f"{folder.parent.name}/{folder.name}" for folder in FOLDERS])
def test_code_fits_beside_the_editor(folder: Path) -> None:
    lines = [line for code in code_on_pages(folder) for line in code.splitlines()]
    assert [line for line in lines if len(line) > COLUMNS] == []
