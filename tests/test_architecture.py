"""The shape of the repository, held by tests: directions of import, no cycles, sizes, and what must not be there."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("api", "grader", "challenges", "frontend")
# What the containers have besides the standard library.
INSIDE_HAS = {"torch", "numpy", "pytest", "_pytest", "grader"}
INSIDE_SEES = {"grader.errors", "grader.wire", "grader.screen"}
CHALLENGES_IMPORT = {"torch", "numpy", "pytest", "grader", "given"}
PICTURES_IMPORT = {"torch", "matplotlib", "challenges"}
MAX_LINES = 300


def files(folder: str) -> Iterator[Path]:
    yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if "node_modules" not in path.parts)


def imported(path: Path, *, running: bool = False) -> set[str]:
    """Dotted names that a file imports; `running` leaves out what only a type checker sees."""
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
        reached = {".".join(name.split(".")[:2]) for name in names if name.startswith("grader.")}
        assert reached <= {"grader.inside", "grader.testing", *INSIDE_SEES}, path


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
        assert foreign(names) <= CHALLENGES_IMPORT, path
        assert {name for name in names if name.startswith("grader.")} <= {
            name for name in names if name.startswith("grader.testing")
        }, path


def test_command_line_reaches_rooms_by_entry_points_only() -> None:
    for path in files("frontend"):
        assert not top(imported(path)) & {"api", "grader"}, path


def modules(room: str) -> dict[str, set[str]]:
    """Imports at run time among the modules of a room."""
    found = {}
    for path in files(room):
        dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found[dotted] = imported(path, running=True)
    return {name: {other for other in names if other in found and other != name} for name, names in found.items()}


def test_no_import_cycles() -> None:
    for room in ("api", "grader"):
        graph = modules(room)
        # Taking away modules that import nothing left until none can be taken leaves exactly the cycles.
        while ready := [name for name, names in graph.items() if not names & graph.keys()]:
            for name in ready:
                del graph[name]
        assert not graph, f"import cycle among {sorted(graph)}"


def test_files_stay_small_and_have_a_job() -> None:
    for room in ("api", "grader", "frontend", "tests"):
        for path in files(room):
            if {"package", "programs", "challenge", "wrong"} & set(path.parts):
                continue
            text = path.read_text()
            assert len(text.splitlines()) <= MAX_LINES, path
            assert path.name != "utils.py", path
            assert not text.strip() or ast.get_docstring(ast.parse(text)) or "versions" in path.parts, path


def test_nothing_names_a_path_of_one_machine() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    words = ("/" + "work/main", "/" + "opt/wheels", "/" + "opt/pypi")
    for name in tracked:
        path = ROOT / name
        if path.is_file():
            text = path.read_bytes().decode("utf-8", errors="ignore")
            assert not any(word in text for word in words), name
