"""Makes mutants: copies of the reference with one small mistake each. If the tests accept a mutant, they do not detect its
mistake.

A challenge gets at most 24 mutants, distributed over mutation operators and lines. They are chosen by a hash of each mutant and
not at random, so that the same reference always gives the same mutants. A mutant's id consists of the name of its operator and
a hash of the lines that it changes.
"""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from grader.gate.mutation.operators import OPERATORS

MOST = 24
Way = tuple[tuple[str, int | None], ...]
# Parts of the code that are not mutated because no test should depend on them, such as annotations, error messages and the text
# that an object's repr returns.
_UNSEEN_FIELDS = frozenset({"annotation", "returns", "decorator_list", "type_params", "bases", "exc", "cause", "msg"})
_UNSEEN_FUNCTIONS = frozenset({"__repr__", "__str__", "extra_repr"})


@dataclass(frozen=True)
class Mutant:
    """A copy of the reference with one mistake. `diff` shows the changed lines, as `ast.unparse` formats them."""

    id: str
    operator: str
    line: int
    diff: str
    source: str


def mutants(source: str, most: int = MOST) -> list[Mutant]:
    """Make at most `most` mutants of a reference. Returns them sorted by line."""
    return sorted(_spread(list(every_mutant(source)), most), key=lambda mutant: (mutant.line, mutant.id))


def every_mutant(source: str) -> Iterator[Mutant]:
    """Yield every mutant that the operators can make and that compiles. All differ from the reference and from each other."""
    tree = ast.parse(source)
    _note_statements(tree)
    original = ast.unparse(tree)
    known, ids = {original}, Counter[str]()
    for way, node in list(_walk(tree)):
        for name, operator in OPERATORS.items():
            for new in operator(node):
                text = _replaced(tree, way, new)
                if text in known or not _compiles(text):
                    continue
                known.add(text)
                diff = _difference(original, text)
                key = f"{name}-{hashlib.sha256(diff.encode()).hexdigest()[:8]}"
                ids[key] += 1
                number = f"-{ids[key]}" if ids[key] > 1 else ""
                yield Mutant(key + number, name, getattr(node, "lineno", 0), diff, text + "\n")


def _spread(found: list[Mutant], most: int) -> list[Mutant]:
    """Choose at most `most` mutants. Takes one mutant of each operator in turn, and each time one on a line from which the
    fewest mutants have been chosen so far.
    """
    waiting: dict[str, list[Mutant]] = {}
    for mutant in sorted(found, key=lambda m: hashlib.sha256(m.id.encode()).digest()):
        waiting.setdefault(mutant.operator, []).append(mutant)
    chosen: list[Mutant] = []
    lines = Counter[int]()
    while len(chosen) < most and waiting:
        for operator in list(waiting):
            best = min(waiting[operator], key=lambda m: lines[m.line])
            waiting[operator].remove(best)
            lines[best.line] += 1
            chosen.append(best)
            if not waiting[operator]:
                del waiting[operator]
    return chosen[:most]


def _walk(node: ast.AST, way: Way = ()) -> Iterator[tuple[Way, ast.AST]]:
    """Yield each node of a syntax tree with its path from the root. Skips the parts that are not mutated."""
    if _unseen(node):
        return
    yield way, node
    for field, value in ast.iter_fields(node):
        if field in _UNSEEN_FIELDS:
            continue
        if isinstance(value, ast.AST):
            yield from _walk(value, (*way, (field, None)))
        elif isinstance(value, list):
            for place, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _walk(item, (*way, (field, place)))


def _unseen(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name in _UNSEEN_FUNCTIONS
    if isinstance(node, ast.If):
        return "__name__" in ast.unparse(node.test)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr)


def _note_statements(tree: ast.Module) -> None:
    """Mark the statements that can be removed without causing a NameError, by setting an attribute on them.

    These are assignments to names that already have a value (`assigned_again`), and `return` statements that are not the last
    statement of their function (`early_return`).
    """
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        known = {argument.arg for argument in arguments}
        for node in _in_order(function):
            if isinstance(node, ast.Assign):
                names = {item.id for target in node.targets for item in ast.walk(target) if isinstance(item, ast.Name)}
                node.assigned_again = names <= known and bool(names)  # type: ignore[attr-defined]
                known |= names
            elif isinstance(node, ast.Return):
                node.early_return = node is not function.body[-1]  # type: ignore[attr-defined]


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        yield child
        yield from _in_order(child)


def _replaced(tree: ast.Module, way: Way, new: ast.AST) -> str:
    """Return the source of the tree with `new` in place of the node at the path `way`. Leaves the tree itself unchanged."""
    owner: ast.AST = tree
    for field, place in way[:-1]:
        value = getattr(owner, field)
        owner = value if place is None else value[place]
    field, place = way[-1]
    old = getattr(owner, field)
    setattr(owner, field, new if place is None else [*old[:place], new, *old[place + 1 :]])
    try:
        return ast.unparse(tree)
    finally:
        setattr(owner, field, old)


def _compiles(text: str) -> bool:
    try:
        compile(text, "solution.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _difference(original: str, mutated: str) -> str:
    """Return the changed lines as a diff. Since a mutant differs from the reference in only one place, it is enough to remove
    the equal lines at the beginning and at the end of both texts.
    """
    old, new = original.splitlines(), mutated.splitlines()
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest = min(len(old), len(new)) - same
    tail = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    removed, added = old[same : len(old) - tail], new[same : len(new) - tail]
    return "\n".join([*(f"-{line}" for line in removed), *(f"+{line}" for line in added)])
