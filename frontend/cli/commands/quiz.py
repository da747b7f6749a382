"""Defines the command `gradus quiz`. It asks a topic's questions one after the other. If an attempt was interrupted, the
command continues it with the first question that has no answer.
"""

import math
import re
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from frontend.cli import clean, workspace
from frontend.cli.failure import Failure, misused
from frontend.cli.rendering import screen, statement
from frontend.cli.service.client import Client, connected
from frontend.cli.service.records import Attempt, Mark, Part, Question

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def quiz(topic: Annotated[str, typer.Argument(help="The topic's ID, from the URL of its page.")]) -> None:
    """Answer a topic's questions. Stop with Ctrl+C; the same command continues the attempt."""
    if not workspace.SLUG.fullmatch(topic):
        raise misused(
            f"{clean.line(topic)!r} is not the ID of a topic. It is the last part of the URL of a topic's page."
        )
    console = screen.console()
    with connected(screen.notice) as client:
        attempt = client.post(f"/topics/{topic}/attempts", Attempt)
        for at, question in enumerate(attempt.questions, start=1):
            if question.mark is None:
                console.print(Text(f"\nQuestion {at} of {len(attempt.questions)}", style="quiet"))
                _ask(client, console, attempt.id, question)
        ended = client.get(f"/attempts/{attempt.id}", Attempt)
    console.print(Text(f"\n{ended.points} of {ended.max_points} points", style="key"))


def _ask(client: Client, console: Console, attempt_id: str, question: Question) -> None:
    """Asks a question, and repeats it while the answer has the wrong form. Then shows whether the answer is right."""
    console.print(statement.rendered(question.prompt))
    if question.code:
        console.print(statement.rendered(f"```python\n{question.code}```"))
    while True:
        try:
            body = {"question": question.id, "answer": _answer(console, question)}
            mark = client.post(f"/attempts/{attempt_id}/answers", Mark, body)
            break
        except (_Unclear, Failure) as error:
            if isinstance(error, Failure) and error.code not in ("bad_answer", "invalid_input"):
                raise
            console.print(Text(str(error), style="wait"))
    console.print(Text("✓ Right" if mark.right else "✗ Not right", style="good" if mark.right else "bad"))
    for text in (*mark.reasons, mark.explanation):
        console.print(statement.rendered(text))


class _Unclear(Exception):
    """The input is not a valid answer, so the question must be repeated."""


def _answer(console: Console, question: Question) -> Any:
    if question.kind == "match":
        _listed(console, question.others)
        return {part.id: _chosen(question.others, _typed(clean.line(part.text)), 1)[0] for part in question.parts}
    if question.kind in ("choice", "order"):
        _listed(console, question.parts)
        if question.kind == "order":
            return _chosen(question.parts, _typed("Letters in the correct order"), len(question.parts))
        label = "Letter" if question.single else "Letters of all correct answers"
        return _chosen(question.parts, _typed(label), 1 if question.single else None)
    if question.kind == "numeric":
        return _number(_typed(f"Number{f' ({clean.line(question.unit)})' if question.unit else ''}"))
    if question.others:
        _listed(console, question.others)
        return _chosen(question.others, _typed("Letter"), 1)[0]
    return _typed(
        {"shape": "The shape, such as (2, 3)", "dtype": "The dtype", "value": "The value"}.get(
            question.ask or "", "What it prints"
        )
    )


def _typed(prompt: str) -> str:
    given: str = typer.prompt(prompt)
    return given.strip()


def _listed(console: Console, parts: list[Part]) -> None:
    for letter, part in zip(ALPHABET, parts, strict=False):
        console.print(Text(f"  {letter}  {clean.line(statement.with_formulas(part.text))}"))


def _chosen(parts: list[Part], typed: str, count: int | None) -> list[str]:
    """Returns the ids of the question's parts whose letters the user typed. Raises `_Unclear` if a letter is unknown or
    repeated, or if there are too many or too few letters.
    """
    letters = re.findall(r"[a-z]", typed.lower())
    known = ALPHABET[: len(parts)]
    if not letters or len(set(letters)) != len(letters) or not set(letters) <= set(known):
        raise _Unclear(f"Type letters from a to {known[-1:]}, each once.")
    if count is not None and len(letters) != count:
        raise _Unclear("Type one letter." if count == 1 else f"Type all {count} letters.")
    return [parts[known.index(letter)].id for letter in letters]


def _number(typed: str) -> float:
    try:
        value = float(typed.replace(",", "."))
    except ValueError:
        value = float("nan")
    if not math.isfinite(value):
        raise _Unclear("Type a number, such as 0.5 or 1e-3.")
    return value
