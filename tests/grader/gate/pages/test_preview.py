"""Checks the preview of pages. Every page renders, TeX becomes MathML, and text of authors cannot become HTML markup. If a
folder cannot be loaded, its page shows the reason.
"""

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.content import package, topic
from grader.content.authoring import scaffold
from grader.gate.preview.markdown import html
from grader.gate.preview.server import address, answer, server, version

ROOT = Path("challenges")


def test_markdown_with_tex_code_tables_and_no_markup_of_its_own() -> None:
    made = html(
        "$x^2$ and <script>alert(1)</script>\n\n```python\nimport torch\n```\n\n```output\n<b>1</b>\n```\n\n|a|\n|-|\n|b|\n"
    )
    assert "<math" in made
    assert "<msup>" in made
    assert "<script>" not in made
    assert "<b>1</b>" not in made
    assert '<pre class="output">' in made
    assert "<table>" in made
    assert 'class="kn"' in made, "Python is coloured"


def test_tex_that_cannot_be_read_is_shown_where_it_stands() -> None:
    assert 'class="bad"' in html("$x^$")


def test_every_page_of_the_catalogue_renders() -> None:
    for folder in package.find(ROOT):
        made = answer(ROOT, f"/challenge/{folder.name}", "")
        assert made is not None
        assert "<h2>Editorial</h2>" in made, folder
    for folder in topic.find(ROOT):
        made = answer(ROOT, f"/topic/{folder.name}", "")
        assert made is not None
        assert "<h2>Pitfalls</h2>" in made, folder
    assert 'href="/challenge/training-loop"' in (answer(ROOT, "/", "") or "")


def test_broken_folder_becomes_a_page_that_says_why(tmp_path: Path) -> None:
    folder = scaffold.new_challenge(tmp_path, "layers", "norm", kind="function", form="write")
    (folder / "challenge.toml").write_text("titel = '<i>'")
    made = answer(tmp_path, "/challenge/norm", "")
    assert made is not None
    assert "titel" in made
    assert "<i>" not in made


def test_version_changes_when_a_file_is_saved(tmp_path: Path) -> None:
    folder = scaffold.new_challenge(tmp_path, "layers", "norm", kind="function", form="write")
    before = version(folder)
    assert answer(tmp_path, "/challenge/norm", "version") == before
    (folder / "statement.md").write_text("New.")
    assert version(folder) != before


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    scaffold.new_topic(tmp_path, "layers", "norms")
    serving = server(tmp_path, 0)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{serving.server_address[1]}"
    serving.shutdown()
    serving.server_close()


def test_served_on_loopback_with_a_404_for_what_is_not_there(served: str) -> None:
    with urllib.request.urlopen(f"{served}/topic/norms") as page:
        assert b"Pitfalls" in page.read()
    for path in ("/topic/none", "/challenge/norms", "/../../etc/passwd", "/nothing"):
        with pytest.raises(urllib.error.HTTPError) as missing:
            urllib.request.urlopen(served + path)
        missing.value.close()
        assert missing.value.code == 404


def test_names_have_addresses(tmp_path: Path) -> None:
    scaffold.new_topic(tmp_path, "layers", "norms")
    assert [address(tmp_path, name) for name in ("", "norms", "none")] == ["/", "/topic/norms", None]
