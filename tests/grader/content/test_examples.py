"""Checks the examples on Markdown pages: which code blocks are examples, and where their output is filled in."""

from grader.content.examples import examples, filled_in

PAGE = """Words.

```python
print(1)
```

```output
old
```

```python
not_run()
```

Words between.

```output
belongs to nothing
```

```python raises=ValueError
raise ValueError("x")
```
```output
```
"""


def test_only_blocks_with_output_directly_below_are_examples() -> None:
    found = examples(PAGE)
    assert [(each.code, each.output, each.raises, each.line) for each in found] == [
        ("print(1)\n", "old\n", "", 3),
        ('raise ValueError("x")\n', "", "ValueError", 21),
    ]


def test_outputs_are_filled_in_and_nothing_else_changes() -> None:
    filled = filled_in(PAGE, ["1\n", "ValueError: x"])
    assert [each.output for each in examples(filled)] == ["1\n", "ValueError: x\n"]
    assert filled_in(filled, ["old\n", ""]) == PAGE


def test_text_without_examples_is_left_alone() -> None:
    assert filled_in("```python\nx\n```\n", []) == "```python\nx\n```\n"
