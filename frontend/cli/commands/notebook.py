"""Defines the cell magic `%%gradus` for IPython and Jupyter. It submits the text of a notebook cell as an answer, and shows the
results as a table. To use it:

%load_ext gradus
%%gradus SLUG [--run | --submit]
"""

import html
from typing import Any

from frontend.cli import clean
from frontend.cli.failure import Failure, misused
from frontend.cli.rendering import results, screen
from frontend.cli.service.client import Client, connected
from frontend.cli.service.following import Progress, follow
from frontend.cli.service.records import Submission, Test
from frontend.cli.workspace import SLUG

USAGE = "Write %%gradus SLUG, with --run for the samples (the default) or --submit for all tests."


class Page:
    """An output that notebooks show as HTML, and terminals as plain text."""

    def __init__(self, markup: str, text: str) -> None:
        self._markup, self._text = markup, text

    def _repr_html_(self) -> str:
        return self._markup

    def __repr__(self) -> str:
        return self._text


def load_ipython_extension(shell: Any) -> None:
    """Registers the cell magic. IPython calls this function for `%load_ext gradus`."""
    shell.register_magic_function(lambda line, cell: gradus(shell, line, cell), magic_kind="cell", magic_name="gradus")


def gradus(shell: Any, line: str, cell: str) -> Page:
    """Runs the text of a notebook cell, so that its names are defined in the notebook. If this succeeds, submits the text as an
    answer and waits for the result.
    """
    try:
        slug, kind = _arguments(line)
        if not shell.run_cell(cell).success:
            return _page_of_failure("The cell itself failed, so nothing was sent.")
        with connected() as client:
            return page(_judged(client, {"slug": slug, "source": cell, "kind": kind}))
    except Failure as failure:
        return _page_of_failure(failure.message)


def page(submission: Submission) -> Page:
    """Renders a finished submission. All text is escaped, because other users may have written it."""
    verdict = screen.verdict_text(submission.status, submission.verdict, submission.kind).plain
    score = f"{submission.score} of {submission.max_score} points" if submission.verdict else ""
    error = submission.compile_error
    why = f"line {error.line}: {clean.line(error.message)}" if error else clean.block(submission.message)
    rows = "".join(_row(test) for test in submission.tests)
    table = f"<table><thead><tr><th></th><th>test</th><th>points</th></tr></thead><tbody>{rows}</tbody></table>"
    head = f"<p><strong>{html.escape(verdict)}</strong> {html.escape(score)}</p><pre>{html.escape(why)}</pre>"
    console = screen.console()
    with console.capture() as captured:
        console.print(results.rendered(submission, console))
    return Page(f"<div>{head}{table if rows else ''}</div>", captured.get())


def _arguments(line: str) -> tuple[str, str]:
    slug, *flags = line.split() or [""]
    if not SLUG.fullmatch(slug) or len(flags) > 1 or not set(flags) <= {"--run", "--submit"}:
        raise misused(USAGE)
    return slug, "submit" if flags == ["--submit"] else "run"


def _judged(client: Client, body: dict[str, str]) -> Submission:
    sent = client.post("/submissions", Submission, body, once=True)
    progress = Progress()
    for event in follow(client, sent.id):
        progress.take(event)
    return client.get(f"/submissions/{sent.id}", Submission)


def _row(test: Test) -> str:
    passed = test.verdict == "AC"
    lines = [clean.line(test.title)] + ([clean.block(test.message)] if not passed and test.message else [])
    lines += [f"line {test.line} of your answer"] if test.line and not passed else []
    text = "<br>".join(html.escape(each) for each in dict.fromkeys(lines))
    points = f"{test.points if passed else 0}/{test.points}"
    return f'<tr><td>{"✓" if passed else "✗"}</td><td style="text-align: left">{text}</td><td>{points}</td></tr>'


def _page_of_failure(message: str) -> Page:
    return Page(f"<p>{html.escape(message)}</p>", message)
