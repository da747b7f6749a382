"""Checks a source before any of it runs: does it compile, and does it use forbidden names?

Runs in the candidate's process, because a source can crash the compiler. Uses the standard library only.
"""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

FILENAME = "solution.py"


@dataclass(frozen=True)
class Complaint:
    """The reason why a source is not run. `verdict` is CE or RV; line and column are 1-based."""

    verdict: str
    message: str
    line: int | None = None
    column: int | None = None
    text: str = ""


def screen(source: str, forbidden: tuple[str, ...]) -> Complaint | None:
    """Return the first complaint about a source, or None. `forbidden` holds dotted names (`torch.nn.functional.softmax`), and the
    name of a module forbids everything in it.
    """
    tree = _parse(source)
    if isinstance(tree, Complaint):
        return tree
    for used, node in _names(tree, forbidden) if forbidden else ():
        banned = [name for name in accumulate(used.split("."), "{}.{}".format) if name in forbidden]
        if banned:
            line = getattr(node, "lineno", 1)
            column = getattr(node, "col_offset", 0) + 1
            lines = source.split("\n")
            text = lines[line - 1].strip("\r") if line <= len(lines) else ""
            return Complaint("RV", f"`{banned[-1]}` is not allowed in this challenge", line, column, text[:200])
    return None


def _parse(source: str) -> ast.Module | Complaint:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, FILENAME)
            compile(tree, FILENAME, "exec", dont_inherit=True)
            return tree
    except SyntaxError as error:
        text = (error.text or "").rstrip("\n")[:200]
        return Complaint("CE", f"{type(error).__name__}: {error.msg}", error.lineno, error.offset, text)
    except (ValueError, RecursionError, MemoryError) as error:
        return Complaint("CE", f"the source cannot be compiled: {type(error).__name__}, {str(error)[:200]}")


def _names(tree: ast.Module, forbidden: tuple[str, ...]) -> Iterator[tuple[str, ast.AST]]:
    """Yield each dotted name that the source uses or imports, with its AST node. An alias is replaced by the name that it
    stands for: after `import torch as t`, `t.abs` is yielded as `torch.abs`.
    """
    aliases = dict(_imports(tree, forbidden))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((f"{node.module}.{alias.name}", node) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        dotted = _dotted(node)
        if dotted:
            head, _, rest = dotted.partition(".")
            full = aliases.get(head, head)
            yield f"{full}.{rest}" if rest else full, node


def _imports(tree: ast.Module, forbidden: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield each name that an import defines, with the dotted name for which it stands. For a star import, yield only the
    forbidden names of that module.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (
                    (alias.asname or alias.name.partition(".")[0]),
                    (alias.name if alias.asname else alias.name.partition(".")[0]),
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.names[0].name == "*":
                yield from ((n.rpartition(".")[2], n) for n in forbidden if n.rpartition(".")[0] == node.module)
                continue
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])
