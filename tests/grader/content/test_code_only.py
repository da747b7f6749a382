"""Checks `code_only`, which removes comments, docstrings and blank lines. A gate.lock must stay valid if only these change, and
become stale if anything else changes.
"""

import pytest

from grader.content.code_only import code_only

SOURCE = b'''"""Module."""

# A comment.
X = "# not a comment"  # a comment


class A:
    """Class."""

    def f(self) -> str:
        """One line
        and more.
        """
        return "x"
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"""Module."""', b'"""Another module, \xc2\xabwith signs\xc2\xbb."""'),
        (b"# A comment.\n", b""),
        (b"  # a comment", b""),
        (b'"""Class."""', b"'''Class, reworded\n    over two lines.'''"),
        (b"One line\n        and more.\n        ", b"One line."),
        (b"\n\n\nclass", b"\n\nclass"),
    ],
)
def test_words_do_not_count(old: bytes, new: bytes) -> None:
    assert SOURCE.count(old) == 1
    assert code_only(SOURCE.replace(old, new)) == code_only(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"# not a comment", b"# another string"),
        (b'return "x"', b'return "y"'),
        (b"class A", b"class B"),
        (b'        return "x"\n', b'        return "x"\n    g = f\n'),
        (b'        return "x"', b'    return "x"'),
    ],
)
def test_everything_else_counts(old: bytes, new: bytes) -> None:
    assert SOURCE.count(old) == 1
    assert code_only(SOURCE.replace(old, new)) != code_only(SOURCE)


def test_a_string_that_is_no_docstring_counts() -> None:
    assert code_only(b'x = 1\n"""a"""\n') != code_only(b'x = 1\n"""b"""\n')


@pytest.mark.parametrize("quote", [b'"""', b'f"""', b'b"""'])
@pytest.mark.parametrize(("old", "new"), [(b"a\n\nb", b"a\nb"), (b"a \nb", b"a\nb"), (b"a\n# c\nb", b"a\nb")])
def test_rows_of_a_string_that_is_no_docstring_count(quote: bytes, old: bytes, new: bytes) -> None:
    assert code_only(b"x = " + quote + old + b'"""\n') != code_only(b"x = " + quote + new + b'"""\n')


def test_source_that_python_cannot_read_counts_whole() -> None:
    assert code_only(b"def (:\n# x\n") == b"def (:\n# x\n"
