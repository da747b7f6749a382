"""Strips comments, docstrings and blank lines from Python source.

A gate.lock contains a digest of the grader's code on which the gate's result depends. The digest is computed from stripped
code, so that the result stays valid if only a docstring or comment has changed.
"""

import ast
import functools
import io
import tokenize


@functools.lru_cache(maxsize=4096)
def code_only(source: bytes) -> bytes:
    """Return `source` without comments, docstrings and blank lines. Source that cannot be parsed is returned unchanged.

    Results are cached, because parsing all of the grader's code takes a second, and a process may need its digest many times.
    """
    try:
        tree = ast.parse(source)
        comments = [t for t in tokenize.tokenize(io.BytesIO(source).readline) if t.type == tokenize.COMMENT]
    except (SyntaxError, ValueError, tokenize.TokenError):
        return source
    lines = source.splitlines()
    for comment in comments:
        row, column = comment.start
        lines[row - 1] = lines[row - 1].decode("utf-8")[:column].encode()
    for docstring in _docstrings(tree):
        first, last = docstring.lineno - 1, (docstring.end_lineno or docstring.lineno) - 1
        after = lines[last][docstring.end_col_offset :]
        before = lines[first][: docstring.col_offset]
        lines[first : last + 1] = [before + after, *[b""] * (last - first)]
    inside = _rows_of_strings(tree)
    return b"\n".join(
        line if row in inside else line.rstrip() for row, line in enumerate(lines, 1) if row in inside or line.strip()
    )


def _rows_of_strings(tree: ast.Module) -> set[int]:
    """Return the numbers of the lines that multi-line strings occupy, except docstrings. Blank lines and trailing spaces in
    these strings are part of their values, so they must be kept.
    """
    docstrings = {docstring.value for docstring in _docstrings(tree)}
    return {
        row
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
        if node not in docstrings
        for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        if node.end_lineno != node.lineno
    }


def _docstrings(tree: ast.Module) -> list[ast.Expr]:
    """Return the docstrings of a module, its classes and its functions."""
    owners = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )
    firsts = (node.body[0] for node in owners if node.body)
    return [
        node
        for node in firsts
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
