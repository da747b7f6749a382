"""Defines the mutation operators. An operator makes a small mistake in a program by replacing one node of its syntax tree.

An operator is a pure function: it yields replacements for the given node, and does not change the node itself. This module does
not run the program's code.
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
# Functions whose result has the same type as their argument. So the code still runs if a call of such a function is replaced by
# the call's argument.
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
    """Replace + by -, * by /, & by |, and vice versa; ** and // by *; and % by //. Also in assignments such as x += y."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield _with(node, op=ARITHMETIC[type(node.op)]())


def comparison(node: ast.AST) -> Iterator[ast.AST]:
    """Replace < by <=, > by >=, == by !=, `is` by `is not`, `in` by `not in`, and vice versa."""
    for place, op in enumerate(node.ops if isinstance(node, ast.Compare) else ()):
        if type(op) in COMPARISONS:
            assert isinstance(node, ast.Compare)
            yield _with(node, ops=[*node.ops[:place], COMPARISONS[type(op)](), *node.ops[place + 1 :]])


def constant(node: ast.AST) -> Iterator[ast.AST]:
    """Replace an integer n by n + 1, a float x by x + 0.5 (by x / 2 if x is large), and True by False or vice versa."""
    if not isinstance(node, ast.Constant):
        return
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node.value, float):
        yield ast.Constant(node.value + 0.5 if abs(node.value) < 1000 else node.value / 2)


def keyword(node: ast.AST) -> Iterator[ast.AST]:
    """Remove a keyword argument from a call. Keeps `device`, because on a machine with one device its removal has no effect."""
    for place, item in enumerate(node.keywords if isinstance(node, ast.Call) else ()):
        if item.arg not in (None, "device"):
            assert isinstance(node, ast.Call)
            yield _with(node, keywords=node.keywords[:place] + node.keywords[place + 1 :])


def condition(node: ast.AST) -> Iterator[ast.AST]:
    """Negate the condition of an `if`, a `while` or a conditional expression."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        test = node.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield _with(node, test=test.operand)
        else:
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))


def connective(node: ast.AST) -> Iterator[ast.AST]:
    """Replace `and` by `or`, and vice versa."""
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())


def sign(node: ast.AST) -> Iterator[ast.AST]:
    """Replace -x, ~x and `not x` by x."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert | ast.Not):
        yield node.operand


def axis(node: ast.AST) -> Iterator[ast.AST]:
    """Replace -1, which is usually a dimension, by 0."""
    if isinstance(node, ast.UnaryOp) and ast.unparse(node) == "-1":
        yield ast.Constant(0)


def skipped_call(node: ast.AST) -> Iterator[ast.AST]:
    """Replace calls such as x.abs(), torch.sqrt(x), x.detach() and sorted(x) by x."""
    if not isinstance(node, ast.Call):
        return
    name, owner = _called(node), _owner(node)
    if name in SKIPPABLE:
        if owner is not None and not _is_library(owner):
            yield owner
        elif node.args and not isinstance(node.args[0], ast.Starred):
            yield node.args[0]


def other_name(node: ast.AST) -> Iterator[ast.AST]:
    """Call a similar function: replace min by max, mean by sum, ones by zeros, triu by tril, and vice versa."""
    if isinstance(node, ast.Call) and _called(node) in NAMES:
        new = NAMES[_called(node)]
        func = ast.Name(new, ast.Load()) if isinstance(node.func, ast.Name) else _with(node.func, attr=new)
        yield _with(node, func=func)


def arguments_swapped(node: ast.AST) -> Iterator[ast.AST]:
    """Replace f(a, b) by f(b, a), unless the order of the arguments does not matter."""
    if isinstance(node, ast.Call) and len(node.args) > 1 and _called(node) not in SYMMETRIC:
        first, second, *rest = node.args
        if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            yield _with(node, args=[second, first, *rest])


def slice_bound(node: ast.AST) -> Iterator[ast.AST]:
    """Remove the lower bound, the upper bound or the step of a slice."""
    if isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            if getattr(node, part) is not None:
                yield _with(node, **{part: None})


def statement(node: ast.AST) -> Iterator[ast.AST]:
    """Replace a statement by `pass`. Skips statements whose removal could cause a syntax error or a NameError."""
    removable = ast.AugAssign | ast.Raise | ast.Delete | ast.Break | ast.Continue | ast.If | ast.For
    called = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom)
    stored = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    again = getattr(node, "assigned_again", False)
    early = getattr(node, "early_return", False)
    if isinstance(node, removable) or called or stored or again or early:
        yield ast.Pass()


def without_context(node: ast.AST) -> Iterator[ast.AST]:
    """Replace a `with` statement by its body. Skips `with` statements that have an `as`, because the body may use that name."""
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
    """Return the name of the called function or method: the part after the last dot."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _owner(node: ast.Call) -> ast.expr | None:
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def _is_library(owner: ast.expr) -> bool:
    return ast.unparse(owner).partition(".")[0] in ("torch", "math", "F", "nn", "np", "numpy", "super()")
