"""Mutation operators: each makes small mistakes by replacing one node of a syntax tree. Pure functions; no code is run.

An operator yields replacements for the given node, and does not change the node itself. The docstring of an operator says
what it replaces, as «new code instead of old code».
"""

import ast
import copy
from collections.abc import Callable, Iterator

Operator = Callable[[ast.AST], Iterator[ast.AST]]

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_PAIRS = (
    "min max, minimum maximum, argmin argmax, amin amax, sum mean, any all, zeros ones, zeros_like ones_like,"
    " tril triu, floor ceil, var std"
)
NAMES = {a: b for pair in _PAIRS.split(", ") for a, b in (pair.split(), pair.split()[::-1])}
# Functions whose result has the same type as their argument, so that the code still runs if the call is left out.
SKIPPABLE = frozenset(
    "abs sqrt rsqrt exp log log1p tanh sigmoid relu square detach clone contiguous float double long neg"
    " requires_grad_ zero_ conj round floor ceil sorted reversed list cumsum softmax log_softmax".split()
)
SYMMETRIC = frozenset(
    "max min maximum minimum add mul logical_and logical_or equal allclose isclose eq ne gcd lcm hypot"
    " logaddexp logaddexp2 logical_xor mse_loss l1_loss dist"
    " transpose swapaxes swapdims isinstance issubclass getattr setattr hasattr super".split()
)


def arithmetic(node: ast.AST) -> Iterator[ast.AST]:
    """+ instead of -, * instead of /, & instead of |, and the other way round. Also in assignments such as x += y."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield _with(node, op=ARITHMETIC[type(node.op)]())


def comparison(node: ast.AST) -> Iterator[ast.AST]:
    """< instead of <=, == instead of !=, `is` instead of `is not`, and the other way round."""
    for place, op in enumerate(node.ops if isinstance(node, ast.Compare) else ()):
        if type(op) in COMPARISONS:
            assert isinstance(node, ast.Compare)
            yield _with(node, ops=[*node.ops[:place], COMPARISONS[type(op)](), *node.ops[place + 1 :]])


def constant(node: ast.AST) -> Iterator[ast.AST]:
    """n + 1 instead of an integer n, x + 0.5 instead of a float x (x / 2 if x is large), True instead of False or vice versa."""
    if not isinstance(node, ast.Constant):
        return
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node.value, float):
        yield ast.Constant(node.value + 0.5 if abs(node.value) < 1000 else node.value / 2)


def keyword(node: ast.AST) -> Iterator[ast.AST]:
    """A call without one of its keyword arguments. device= is never removed, because that changes nothing with one device."""
    for place, item in enumerate(node.keywords if isinstance(node, ast.Call) else ()):
        if item.arg not in (None, "device"):
            assert isinstance(node, ast.Call)
            yield _with(node, keywords=node.keywords[:place] + node.keywords[place + 1 :])


def condition(node: ast.AST) -> Iterator[ast.AST]:
    """`if not x` instead of `if x`, also in `while` and in conditional expressions."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        test = node.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield _with(node, test=test.operand)
        else:
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))


def connective(node: ast.AST) -> Iterator[ast.AST]:
    """`and` instead of `or`, and the other way round."""
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())


def sign(node: ast.AST) -> Iterator[ast.AST]:
    """x instead of -x, ~x and `not x`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert | ast.Not):
        yield node.operand


def axis(node: ast.AST) -> Iterator[ast.AST]:
    """0 instead of -1, which is usually a dimension."""
    if isinstance(node, ast.UnaryOp) and ast.unparse(node) == "-1":
        yield ast.Constant(0)


def skipped_call(node: ast.AST) -> Iterator[ast.AST]:
    """x instead of x.abs(), torch.sqrt(x), x.detach() or sorted(x)."""
    if not isinstance(node, ast.Call):
        return
    name, owner = _called(node), _owner(node)
    if name in SKIPPABLE:
        if owner is not None and not _is_library(owner):
            yield owner
        elif node.args and not isinstance(node.args[0], ast.Starred):
            yield node.args[0]


def other_name(node: ast.AST) -> Iterator[ast.AST]:
    """A call of a similar function: max instead of min, sum instead of mean, zeros instead of ones, tril instead of triu."""
    if isinstance(node, ast.Call) and _called(node) in NAMES:
        new = NAMES[_called(node)]
        func = ast.Name(new, ast.Load()) if isinstance(node.func, ast.Name) else _with(node.func, attr=new)
        yield _with(node, func=func)


def arguments_swapped(node: ast.AST) -> Iterator[ast.AST]:
    """f(b, a) instead of f(a, b)."""
    if isinstance(node, ast.Call) and len(node.args) > 1 and _called(node) not in SYMMETRIC:
        first, second, *rest = node.args
        if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            yield _with(node, args=[second, first, *rest])


def slice_bound(node: ast.AST) -> Iterator[ast.AST]:
    """A slice without its lower or upper bound or its step."""
    if isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            if getattr(node, part) is not None:
                yield _with(node, **{part: None})


def statement(node: ast.AST) -> Iterator[ast.AST]:
    """`pass` instead of a statement that can be removed without a syntax error or a NameError."""
    removable = ast.AugAssign | ast.Raise | ast.Delete | ast.Break | ast.Continue | ast.If | ast.For
    called = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom)
    stored = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    again = getattr(node, "assigned_again", False)
    early = getattr(node, "early_return", False)
    if isinstance(node, removable) or called or stored or again or early:
        yield ast.Pass()


def without_context(node: ast.AST) -> Iterator[ast.AST]:
    """The body of a `with` statement, without its context manager."""
    if isinstance(node, ast.With) and all(item.optional_vars is None for item in node.items):
        yield ast.If(ast.Constant(True), node.body, [])


OPERATORS: dict[str, Operator] = {
    "arithmetic": arithmetic,
    "comparison": comparison,
    "constant": constant,
    "keyword": keyword,
    "condition": condition,
    "connective": connective,
    "sign": sign,
    "axis": axis,
    "skipped-call": skipped_call,
    "other-name": other_name,
    "swapped-arguments": arguments_swapped,
    "slice": slice_bound,
    "statement": statement,
    "context": without_context,
}


def _with(node: ast.AST, **fields: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _called(node: ast.Call) -> str:
    """The name of the called function or method, without the part before the last dot."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _owner(node: ast.Call) -> ast.expr | None:
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def _is_library(owner: ast.expr) -> bool:
    return ast.unparse(owner).partition(".")[0] in ("torch", "math", "F", "nn", "np", "numpy", "super()")
