"""Derives an example call of each function and module of a challenge from its sample tests, which candidates can read.

A call `solution.attention(q, k, v)` of a sample test becomes a few lines of Python that end with `attention(q, k, v)`, and a
call of a module ends with `RMSNorm(4)(x)`. Functions and modules whose arguments are not plain values and tensors (a model, a
callback, a file) get no example.
"""

import ast
import builtins
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

# Names that an example can use without defining them. `grader.judging.own_input.in_cell` provides them.
MODULES = {"torch", "math", "nn", "F"}
# The methods of the fixture `rng` for which torch has a function with the same parameters.
DRAWS = {"randn": "randn", "rand": "rand", "randint": "randint", "permutation": "randperm"}
# What an example can use of torch without calling it. Everything else, such as torch.exp, is a function, which is no plain value.
VALUES = set("inf nan pi e bool int32 int64 uint8 float16 bfloat16 float32 float64 complex64 complex128".split())
MAX_CHARACTERS = 600


class _NoExample(Exception):
    """The call uses something that an example cannot contain."""


@dataclass
class _Scope:
    """What can be used in one test: its own assignments in order, the constants of tests.py by name, and the names of the
    answer's functions and modules.
    """

    constants: dict[str, ast.Assign]
    functions: frozenset[str]
    modules: frozenset[str]
    assignments: list[ast.Assign] = field(default_factory=list)


def example_calls(
    tests: str, samples: Sequence[str], functions: Sequence[str], modules: Sequence[str] = ()
) -> dict[str, str]:
    """Return the first example call of each function and module. Leaves out those for which there is none.

    `tests` is the source of tests.py, and `samples` are the names of the sample tests of tests.lock. A function without the
    mark `sample` is left out even if its name is listed, so that a mistake in one of the two files shows no hidden test.
    """
    tree = ast.parse(tests)
    constants = {name: node for node in tree.body if isinstance(node, ast.Assign) for name in _constant(node)}
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in samples and any(map(_is_sample, node.decorator_list)):
            scope = _Scope(constants, frozenset(functions), frozenset(modules))
            scope.assignments += [part for assignment in _parameters(node) for part in _one_each(assignment)]
            for name, call in _calls(node.body, scope):
                text = _example(call, scope) if name not in found else ""
                if 0 < len(text) <= MAX_CHARACTERS:
                    found[name] = text
    return {name: found[name] for name in (*functions, *modules) if name in found}


def _is_sample(mark: ast.expr) -> bool:
    return ast.unparse(mark).rpartition(".")[2] == "sample"


def _constant(node: ast.Assign) -> set[str]:
    """Return the name of a constant such as `F64 = torch.float64` or `SIZE = 8`. Larger values could be cases of hidden tests,
    so they are left out.
    """
    return _stored(node) if isinstance(node.value, ast.Attribute | ast.Constant | ast.UnaryOp) else set()


def _parameters(test: ast.FunctionDef) -> Iterator[ast.Assign]:
    """Yield an assignment for each `pytest.mark.parametrize` of a test, with the values of its first case."""
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.parametrize":
            names, cases = mark.args[:2]
            if isinstance(names, ast.Constant) and isinstance(cases, ast.List | ast.Tuple) and cases.elts:
                yield _assign(ast.parse(str(names.value), mode="eval").body, cases.elts[0])


def _assign(target: ast.expr, value: ast.expr) -> ast.Assign:
    return ast.Assign(targets=[target], value=value, lineno=0)


def _calls(body: Sequence[ast.stmt], scope: _Scope) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of the answer's functions and modules in order, each with its name. When a call is yielded, the scope
    holds the assignments before it.

    Uses only the first round of a loop over a literal. Leaves out calls in `with` blocks, such as `pytest.raises`.
    """
    for node in body:
        if isinstance(node, ast.For):
            if isinstance(node.iter, ast.Tuple | ast.List) and node.iter.elts:
                scope.assignments += _one_each(_assign(node.target, node.iter.elts[0]))
                yield from _calls(node.body, scope)
        elif not isinstance(node, ast.With):
            for part in ast.walk(node):
                if isinstance(part, ast.Call):
                    yield from _of_answer(part, scope)
            if isinstance(node, ast.Assign):
                scope.assignments += _one_each(node)


def _one_each(node: ast.Assign) -> list[ast.Assign]:
    """Split `a, b = 1, 2` into an assignment for each name, so that an example contains only those that it needs."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple) or len(target.elts) != len(value.elts):
        return [node]
    if _stored(node) & _free_names(node) or any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts)):
        return [node]
    return [_assign(*pair) for pair in zip(target.elts, value.elts, strict=True)]


def _of_answer(call: ast.Call, scope: _Scope) -> Iterator[tuple[str, ast.Call]]:
    """Yield the call if it calls a function or a module of the answer. The call of a module gets the form `NAME(...)(...)`,
    also if the test has stored the module in a variable.
    """
    if (name := _attribute(call.func)) in scope.functions:
        yield name, call
    maker: ast.expr | None = call.func
    if isinstance(maker, ast.Name):
        stored = (each.value for each in reversed(scope.assignments) if call.func.id in _stored(each))  # type: ignore[attr-defined]
        maker = next(stored, None)
    if isinstance(maker, ast.Call) and (name := _attribute(maker.func)) in scope.modules:
        module = ast.Call(ast.Name(name, ast.Load()), maker.args, maker.keywords)
        yield name, ast.Call(module, call.args, call.keywords)


def _attribute(node: ast.expr) -> str:
    """Return NAME if the expression is `solution.NAME`, otherwise an empty string."""
    of_answer = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "solution"
    return node.attr if of_answer and isinstance(node, ast.Attribute) else ""


def _example(call: ast.Call, scope: _Scope) -> str:
    """Return the lines that the call needs, and the call. Returns an empty string if an example cannot contain them."""
    try:
        lines = [*_needed(call, scope, len(scope.assignments)), _rewritten(call, scope)]
    except _NoExample:
        return ""
    return "\n".join(ast.unparse(ast.fix_missing_locations(line)) for line in lines) + "\n"


def _needed(node: ast.AST, scope: _Scope, before: int) -> list[ast.AST]:
    """Return the assignments of the names that `node` uses, in order. Only the first `before` assignments count."""
    wanted = _free_names(node)
    chosen: list[ast.AST] = []
    for index in reversed(range(before)):
        assignment = scope.assignments[index]
        if _stored(assignment) & wanted:
            chosen.append(_rewritten(assignment, scope))
            wanted = (wanted - _stored(assignment)) | _free_names(assignment)
    chosen.reverse()
    return [*_constants(wanted, scope), *chosen]


def _constants(wanted: set[str], scope: _Scope) -> list[ast.AST]:
    """Return the assignments of the module's constants with these names, and of those that they use."""
    made: list[ast.AST] = []
    for name in sorted(wanted - MODULES - set(vars(builtins)) - scope.modules - {"rng", "solution"}):
        if name not in scope.constants:
            raise _NoExample
        node = scope.constants[name]
        made += [*_constants(_free_names(node.value), scope), _rewritten(node, scope)]
    return made


def _free_names(node: ast.AST) -> set[str]:
    """Return the names that a call or an assignment uses. Names that a comprehension defines do not count."""
    loaded = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    inner = (part.target for part in ast.walk(node) if isinstance(part, ast.comprehension))
    return loaded - {part.id for target in inner for part in ast.walk(target) if isinstance(part, ast.Name)}


def _stored(node: ast.Assign) -> set[str]:
    """Return the names that an assignment sets, and those of the objects of which it sets an item."""
    return {part.id for target in node.targets for part in _without_indices(target)}


def _without_indices(target: ast.expr) -> Iterator[ast.Name]:
    if isinstance(target, ast.Name):
        yield target
    elif isinstance(target, ast.Subscript | ast.Attribute | ast.Starred):
        yield from _without_indices(target.value)
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from _without_indices(part)


def _rewritten(node: ast.AST, scope: _Scope) -> ast.AST:
    rewritten: ast.AST = _ForCandidates(scope).visit(deepcopy(node))
    return rewritten


class _ForCandidates(ast.NodeTransformer):
    """Replaces the fixtures of a test: `solution.f` by `f`, and `rng.randn` by `torch.randn`. Raises _NoExample for parts that
    an example cannot contain.
    """

    def __init__(self, scope: _Scope) -> None:
        self._scope = scope
        self._called: set[int] = set()

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self._called.add(id(node.func))
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if _attribute(node) in self._scope.functions:
            return ast.Name(node.attr, ast.Load())
        if owner == "torch" and node.attr not in VALUES and id(node) not in self._called:
            raise _NoExample
        if owner == "rng" and node.attr in DRAWS:
            return ast.Attribute(ast.Name("torch", ast.Load()), DRAWS[node.attr], ast.Load())
        if node.attr == "Generator":
            raise _NoExample
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in ("rng", "solution"):
            raise _NoExample
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        raise _NoExample
