"""Tests which files index.html tells the browser to preload."""

import json
from pathlib import Path
from typing import Any

import pytest

from api.kit.http.preload_links import BEGINNINGS, MANIFEST, Preloads
from api.kit.http.static_client import PAGE

ROOT = Path(__file__).parents[4]
CHUNKS: dict[str, Any] = {
    "index.html": {"file": "assets/index-1.js", "isEntry": True},
    "_shared-2.js": {"file": "assets/shared-2.js", "imports": ["index.html"]},
    "src/features/challenges/ChallengePage.tsx": {
        "file": "assets/Challenge-3.js",
        "css": ["a-5.css"],
        "imports": ["index.html", "_shared-2.js"],
    },
    "src/features/editor/Editor.tsx": {"file": "assets/Editor-4.js", "imports": ["_shared-2.js"]},
}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<!doctype html><head><title>The client</title></head><body></body>")
    (tmp_path / MANIFEST).parent.mkdir()
    (tmp_path / MANIFEST).write_text(json.dumps(CHUNKS))
    return tmp_path


def test_a_challenge_comes_with_its_modules_once_each_and_its_data(built: Path) -> None:
    page = Preloads(built).html("/challenges/add-one")
    head, body = page.split("</head>")
    wanted = ["assets/Challenge-3.js", "assets/Editor-4.js", "assets/shared-2.js"]
    assert sorted(part.split('"')[0] for part in head.split('rel="modulepreload" crossorigin href="/')[1:]) == wanted
    assert '<link rel="preload" as="fetch" crossorigin href="/api/challenges/add-one">' in head
    assert head.index("/api/challenges") < head.index("<title>") < head.index("modulepreload"), (
        "data waits for no script"
    )
    assert head.count('<link rel="stylesheet" crossorigin href="/a-5.css">') == 1
    assert body == "<body></body>"


def test_formulas_come_with_a_statement_that_has_some(built: Path) -> None:
    (built / "formulas").mkdir()
    (built / "formulas" / "add-one.json").write_text("{}")
    pages = Preloads(built)
    assert pages.html("/challenges/add-one").count('href="/formulas/add-one.json">') == 1
    assert "/formulas/" not in pages.html("/challenges/add-two")


def test_what_the_built_page_names_already_is_not_named_again(built: Path) -> None:
    named = '<link rel="modulepreload" crossorigin href="/assets/shared-2.js">'
    (built / "index.html").write_text(f"<!doctype html><head><title>The client</title>{named}</head><body></body>")
    assert Preloads(built).html("/challenges/add-one").count("shared-2.js") == 1


def test_other_pages_are_as_they_were_built(built: Path) -> None:
    assert Preloads(built).html("/leaderboard") == (built / "index.html").read_text()


def test_a_client_without_a_list_of_its_chunks_is_served_all_the_same(built: Path) -> None:
    (built / MANIFEST).unlink()
    assert "modulepreload" not in Preloads(built).html("/challenges/add-one")


def test_an_address_that_is_none_leaves_nothing_in_the_page(built: Path) -> None:
    hostile = '/challenges/"><script>alert(1)</script>'
    assert Preloads(built).html(hostile) == (built / "index.html").read_text()


@pytest.mark.parametrize("module", sorted({module for _, modules, _ in BEGINNINGS for module in modules}))
def test_each_module_is_there(module: str) -> None:
    assert (ROOT / "frontend" / "web" / module).is_file()


@pytest.mark.parametrize("path", ["/", "/catalogue", "/challenges/add-one", "/topics/softmax", "/participation/2"])
def test_each_beginning_is_of_a_page(path: str) -> None:
    assert PAGE.fullmatch(path)
    assert any(address.fullmatch(path) for address, _, _ in BEGINNINGS)
