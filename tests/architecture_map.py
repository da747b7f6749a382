"""Draws a map of the imports between wings into docs/architecture.md (`make map`). A wing is a folder or file directly below
api/ or grader/.

The map is a Mermaid flowchart between two markers in the page. A box is a wing, with the names of its folders. An arrow from
one wing to another means that the first imports the second. If other arrows lead from the first wing to the second, the direct
arrow is left out, so that the order of the wings can be seen. tests/test_architecture.py fails if the map does not match the
code.
"""

import sys
from pathlib import Path

from grimp import ImportGraph, build_graph

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- map: written by `make map` -->\n", "<!-- end of the map -->\n"
PACKAGES = ("api", "grader")
# The largest number of folder names in one line of a box. With more, the boxes would be too wide.
PER_LINE = 4


def drawn() -> str:
    """Draw the flowchart. Return it as Markdown."""
    graph = build_graph(*PACKAGES, cache_dir=None)
    wings = [wing for package in PACKAGES for wing in sorted(graph.find_children(package)) if _is_wing(wing)]
    lines = ["```mermaid", "flowchart TB"]
    for package in PACKAGES:
        lines.append(f"  subgraph {package}")
        lines += [f'    {wing}["{_label(wing)}"]' for wing in wings if wing.startswith(f"{package}.")]
        lines.append("  end")
    lines += [f"  {importer} --> {imported}" for importer, imported in _arrows(graph, wings)]
    return "\n".join([*lines, "```", ""])


def page() -> str:
    """Return the text of docs/architecture.md with the current map."""
    before, rest = PAGE.read_text().split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + drawn() + END + after


def _is_wing(name: str) -> bool:
    return _folder(name).is_dir() or _folder(name).with_suffix(".py").is_file()


def _folder(name: str) -> Path:
    return ROOT.joinpath(*name.split("."))


def _label(wing: str) -> str:
    name = wing.partition(".")[2]
    folder = _folder(wing)
    if not folder.is_dir():
        return f"<b>{name}.py</b>"
    folders = sorted(path.name for path in folder.iterdir() if any(path.glob("*.py")))
    inside = folders or sorted(path.stem for path in folder.glob("[a-z]*.py"))
    rows = [", ".join(inside[start : start + PER_LINE]) for start in range(0, len(inside), PER_LINE)]
    return "<br/>".join([f"<b>{name}</b>", *rows])


def _arrows(graph: ImportGraph, wings: list[str]) -> list[tuple[str, str]]:
    """Return the imports between wings as (importing wing, imported wing). Leave out an import if a chain of other imports
    leads from the first wing to the second.
    """
    reached = {wing: {other for other in wings if other != wing and _imports(graph, wing, other)} for wing in wings}
    return [
        (wing, other)
        for wing in wings
        for other in sorted(reached[wing])
        if not any(other in reached[between] for between in reached[wing])
    ]


def _imports(graph: ImportGraph, wing: str, other: str) -> bool:
    """Return whether a file of `wing` imports a file of `other`, directly or through files in other wings."""
    return graph.chain_exists(wing, other, as_packages=True)


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stderr.write(f"== wrote {PAGE.relative_to(ROOT)}\n")
