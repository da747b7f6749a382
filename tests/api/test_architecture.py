"""Imports run one way: the service knows the grader's records and nothing of torch, Docker or cells."""

import ast
from pathlib import Path

import api

ROOM = Path(api.__file__).parent
RECORDS = (
    "job",
    "transport",
    "package",
    "kept",
    "nkey",
    "subjects",
    "authored",
    "errors",
    "topic",
    "track",
    "quiz",
    "predicted",
    "marking",
)
OF_THE_GRADER = {"grader", *(f"grader.{record}" for record in RECORDS)}
FORBIDDEN = {"torch", "numpy", "docker", "pytest", "challenges", "frontend"}


def imports_of(path: Path) -> set[str]:
    """Names of the modules that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_service_imports_only_the_records_of_the_grader() -> None:
    files = list(ROOM.rglob("*.py"))
    assert files
    for path in files:
        names = imports_of(path)
        assert not {name for name in names if name.split(".")[0] in FORBIDDEN}, path
        assert {name for name in names if name.split(".")[0] == "grader"} <= OF_THE_GRADER, path


def test_environment_is_read_in_one_place() -> None:
    readers = [
        path.name for path in ROOM.rglob("*.py") if "os.environ" in path.read_text() or "getenv" in path.read_text()
    ]
    assert readers == ["settings.py"]
