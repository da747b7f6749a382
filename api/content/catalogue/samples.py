"""Extracts the sample tests of a challenge. Unlike the source of hidden tests, users may read their source. Only functions that
are marked as `sample` and are also listed as samples in tests.lock are included.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from grader.content.package import Package

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Sample:
    """A sample test: the name of its function, its title, and its source including decorators."""

    name: str
    title: str
    source: str


def samples_of(package: Package) -> tuple[Sample, ...]:
    """Return the sample tests of a package, in the order of tests.py. Raises `SyntaxError` if tests.py does not parse.

    A function must have the `sample` mark *and* be a sample in tests.lock. A mistake in only one of the two places therefore
    does not publish a hidden test.
    """
    titles = {_function_name(test.id): test.title for test in package.lock.tests if test.sample}
    lines = package.tests_source.splitlines()
    return tuple(
        Sample(node.name, titles[node.name], _source(node, lines))
        for node in _functions(ast.parse(package.tests_source))
        if node.name in titles and any(_is_sample(mark) for mark in node.decorator_list)
    )


def _function_name(test_id: str) -> str:
    return test_id.partition("[")[0].rpartition("::")[2]


def _functions(tree: ast.Module) -> Iterator[Definition]:
    for node in tree.body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        yield from (member for member in members if isinstance(member, Definition))


def _is_sample(mark: ast.expr) -> bool:
    target = mark.func if isinstance(mark, ast.Call) else mark
    name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
    return name == "sample"


def _source(node: Definition, lines: list[str]) -> str:
    first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
    taken = lines[first - 1 : node.end_lineno]
    return "\n".join(line[node.col_offset :] for line in taken) + "\n"
