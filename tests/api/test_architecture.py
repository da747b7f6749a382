"""Tests that the service does not import torch, Docker or cells. Also tests that tables, routes and emails are registered in
the places where the service looks for them.
"""

import ast
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

from fastapi.routing import iter_route_contexts

import api
from api import app
from api.ops import wiring

ROOM = Path(api.__file__).parent
FORBIDDEN = {"torch", "numpy", "docker", "pytest", "challenges", "frontend"}


def imports_of(path: Path) -> set[str]:
    """Return the names of the modules that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_service_imports_nothing_that_belongs_to_cells() -> None:
    files = list(ROOM.rglob("*.py"))
    assert files
    for path in files:
        names = imports_of(path)
        assert not {name for name in names if name.split(".")[0] in FORBIDDEN}, path


def test_environment_is_read_in_one_place() -> None:
    readers = [
        path.name for path in ROOM.rglob("*.py") if "os.environ" in path.read_text() or "getenv" in path.read_text()
    ]
    assert readers == ["settings.py"]


def rooms(name: str) -> list[ModuleType]:
    """Import all modules of the service whose full name ends in `name`."""
    found = [found.name for found in pkgutil.walk_packages(api.__path__, "api.") if found.name.endswith(name)]
    assert found
    return [importlib.import_module(each) for each in found]


def test_tables_are_described_where_all_of_them_are_looked_for() -> None:
    for path in ROOM.rglob("*.py"):
        classes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]
        bases = {base.id for each in classes for base in each.bases if isinstance(base, ast.Name)}
        assert "Table" not in bases or path.name == "models.py", path
        # The metadata lists only tables that have been imported. Other modules must use `tables()`, which imports all of them.
        assert "sorted_tables" not in path.read_text() or path == ROOM / "kit" / "db" / "tables.py", path


def test_every_router_is_served() -> None:
    here = {(route.path, method) for route in iter_route_contexts(app._routes()) for method in route.methods or ()}
    for module in rooms("routes"):
        for route in module.router.routes:
            assert ("/api" + route.path, next(iter(route.methods))) in here, f"{module.__name__}: {route.path}"


def test_every_letter_has_its_writer() -> None:
    for module in rooms(".mail"):
        assert getattr(module, "KINDS", {}).keys() <= wiring.MAIL_TEMPLATES.keys(), module.__name__
