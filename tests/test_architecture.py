"""Tests the structure of the repository: the sizes of files, what a folder may import, and links in the documentation.

The order of imports between folders is checked by import-linter (pyproject.toml).
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import architecture_map
from tests.screenshots import SHOWN_KB

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("api", "grader", "challenges", "frontend")
# Besides the standard library, these packages are available in the containers.
INSIDE_HAS = {"torch", "numpy", "pytest", "_pytest", "grader"}
INSIDE_SEES = {"grader.contract.errors", "grader.contract.wire", "grader.inside.screen"}
CHALLENGES_IMPORT = {"torch", "numpy", "pytest", "grader", "given"}
PICTURES_IMPORT = {"torch", "matplotlib", "challenges"}
DOCUMENTED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
MAX_LINES, MAX_CLASS_LINES, MAX_MODULES = 300, 150, 12
README_LINES = 200
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("challenges/*.md")),
    *sorted(ROOT.glob("challenges/docs/*.md")),
    ROOT / "frontend" / "web" / "README.md",
]
# PATH matches the paths of the repository's files in a page, and LINK matches the targets of links. Placeholders such as <slug>
# match neither.
PATH = re.compile(r"`((?:api|grader|frontend|tests|deploy|docs|challenges)/[\w./@-]+)`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s<>]+)[)#\s]")


def files(folder: str) -> Iterator[Path]:
    yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if "node_modules" not in path.parts)


def imported(path: Path, *, running: bool = False) -> set[str]:
    """Return the dotted names that a file imports. With `running`, imports under TYPE_CHECKING are left out."""
    tree = ast.parse(path.read_text())
    hidden = {id(n) for node in ast.walk(tree) if running and _for_types(node) for n in ast.walk(node)}
    names = set()
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def top(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def foreign(names: set[str]) -> set[str]:
    return {name for name in top(names) if name not in sys.stdlib_module_names}


def test_grader_knows_neither_http_nor_sql() -> None:
    for path in files("grader"):
        assert not top(imported(path)) & {"api", "fastapi", "sqlalchemy", "pydantic", "frontend", "challenges"}, path


def test_what_runs_in_containers_needs_only_what_the_image_has() -> None:
    for path in (*files("grader/inside"), *files("grader/testing")):
        names = imported(path)
        assert foreign(names) <= INSIDE_HAS, path
        reached = {
            ".".join(name.split(".")[: 3 if name.startswith("grader.contract") else 2])
            for name in names
            if name.startswith("grader.")
        }
        assert reached <= {"grader.inside", "grader.testing", *INSIDE_SEES}, path


def more_for_gpus(path: Path) -> set[str]:
    """What a challenge may import beyond CHALLENGES_IMPORT: Triton, if it is for GPUs only, where Triton comes with torch."""
    toml = next((each / "challenge.toml" for each in path.parents if (each / "challenge.toml").is_file()), None)
    devices = tomllib.loads(toml.read_text()).get("devices", ["cpu"]) if toml else ["cpu"]
    return set() if "cpu" in devices else {"triton"}


def test_a_node_and_the_api_do_without_torch() -> None:
    names = "import grader.__main__, api.app, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", names], cwd=ROOT, check=False).returncode == 0


def test_challenges_import_only_torch_and_the_kit() -> None:
    for path in files("challenges"):
        try:
            names = imported(path)
        except SyntaxError:
            assert path.parent.name == "ce", path
            continue
        if "pictures" in path.parts:
            assert foreign(names) <= PICTURES_IMPORT, path
            continue
        assert foreign(names) <= CHALLENGES_IMPORT | more_for_gpus(path), path
        assert {name for name in names if name.startswith("grader.")} <= {
            name for name in names if name.startswith("grader.testing")
        }, path


def test_command_line_reaches_rooms_by_entry_points_only() -> None:
    for path in files("frontend"):
        assert not top(imported(path)) & {"api", "grader"}, path


def test_files_stay_small_and_have_a_job() -> None:
    for room in ("api", "grader", "frontend", "tests"):
        for path in files(room):
            if {"package", "programs", "challenge", "wrong"} & set(path.parts):
                continue
            text = path.read_text()
            assert len(text.splitlines()) <= MAX_LINES, path
            assert path.name != "utils.py", path
            assert not text.strip() or ast.get_docstring(ast.parse(text)) or "versions" in path.parts, path


def test_classes_and_folders_stay_small() -> None:
    """Classes and folders must not exceed their limits. There are two exceptions: the class `Settings`, which lists every
    setting with its explanation, and the folder of database migrations.
    """
    for room in ("api", "grader", "frontend"):
        modules = Counter(path.parent for path in files(room) if path.name not in ("__init__.py", "__main__.py"))
        assert {folder for folder, count in modules.items() if count > MAX_MODULES} <= {
            ROOT / "api/migrations/versions"
        }
        for path in files(room):
            classes = [each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.ClassDef)]
            long = {each.name for each in classes if _lines_of_code(each) > MAX_CLASS_LINES}
            assert long <= {"Settings"}, path


def _lines_of_code(each: ast.ClassDef) -> int:
    """Return the number of lines of a class, without docstrings."""
    documented = [
        part for part in ast.walk(each) if isinstance(part, DOCUMENTED) and ast.get_docstring(part) is not None
    ]
    docstrings = sum((part.body[0].end_lineno or 0) - part.body[0].lineno + 1 for part in documented)
    return (each.end_lineno or 0) - each.lineno + 1 - docstrings


def test_nothing_names_a_path_of_one_machine() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    words = ("/" + "work/main", "/" + "opt/wheels", "/" + "opt/pypi")
    for name in tracked:
        path = ROOT / name
        if path.is_file():
            text = path.read_bytes().decode("utf-8", errors="ignore")
            assert not any(word in text for word in words), name


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_pages_name_files_that_exist(page: Path) -> None:
    text = page.read_text()
    # Pages may also name files that a build creates and that do not exist in a fresh clone.
    named = {ROOT / name for name in PATH.findall(text) if "/dist" not in name}
    linked = {page.parent / name for name in LINK.findall(text)}
    assert [str(path) for path in sorted(named | linked) if not path.exists()] == []


def test_the_map_shows_the_present_imports() -> None:
    assert architecture_map.page() == architecture_map.PAGE.read_text(), "run `make map`"


def test_pictures_of_pages_stay_small_and_are_shown() -> None:
    shown = {page.parent / name for page in PAGES for name in LINK.findall(page.read_text())}
    for picture in (ROOT / "docs" / "screenshots").iterdir():
        assert picture.stat().st_size <= SHOWN_KB * 1024, picture
        assert picture in shown, picture


def test_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= README_LINES
