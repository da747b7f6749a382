"""Builds the parts of a report about texts that reviewers grade, and about points that are not final yet."""

from collections.abc import Iterator

from api.hiring.results.pdf.block_formats import Block, moment, plain
from api.hiring.taking.question_items import WrittenAnswer


def reached(score: float, points: int, to_review: int) -> str:
    """Return a score in words, such as «34 of 50, 10 to review»."""
    return f"{score:g} of {points}" + (f", {to_review} to review" if to_review else "")


def decided(decision: str, answers_pending: int) -> str:
    """Return a decision in words, such as «Advance, points pending»."""
    if decision == "none":
        return "–"
    return decision.capitalize() + (", points pending" if answers_pending else "")


def not_final(answers_pending: int) -> str:
    """Say that a score is not final because of these answers."""
    answers = "1 answer has" if answers_pending == 1 else f"{answers_pending} answers have"
    return f"{answers} no final points yet, so the score is not final."


def written(answer: WrittenAnswer) -> Iterator[Block]:
    """Yield a question, the candidate's text, and the code that the text is about with its marked lines."""
    yield {"kind": "note", "author": "The question", "text": plain(answer.prompt)}
    if answer.saved_at is None:
        yield {"kind": "text", "text": "Nothing was written."}
        return
    yield {"kind": "note", "author": f"The answer, last saved {moment(answer.saved_at)}", "text": answer.text}
    if answer.about is None or answer.about.marked is None:
        return
    marked = answer.about.marked
    ranges = ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in marked.lines)
    changed = " The candidate changed this code afterwards." if answer.about.changed else ""
    yield {"kind": "text", "text": f"The text is about these lines of “{answer.about.title}”: {ranges}.{changed}"}
    yield {"kind": "code", "source": marked.source, "marked": marked.lines}
