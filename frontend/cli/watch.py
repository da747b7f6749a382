"""Shows the progress of a submission. On a terminal, shows a table that is updated; otherwise, prints lines on stderr. On
Ctrl+C, offers to cancel the submission.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from frontend.cli.failure import INTERRUPTED, Failure
from frontend.cli.rendering import results, screen
from frontend.cli.service.client import Client
from frontend.cli.service.following import Progress, follow
from frontend.cli.service.records import Submission, Test


def watch(client: Client, sent: Submission, console: Console, *, silent: bool = False) -> Submission:
    """Waits until a submission has ended, and returns it. Raises `Failure` if the user stops waiting with Ctrl+C."""
    progress = Progress(sent.device)
    try:
        with _shown(progress, console, silent=silent) as show:
            for event in follow(client, sent.id):
                show(progress.take(event))
    except KeyboardInterrupt:
        _left(client, sent.id, console)
    return client.get(f"/submissions/{sent.id}", Submission)


@contextmanager
def _shown(progress: Progress, console: Console, *, silent: bool) -> Iterator[Callable[[Test | None], None]]:
    if silent:
        yield lambda test: None
    elif console.is_terminal:
        picture = _Picture(progress, console)
        # `transient` removes the table at the end, because the caller then prints the complete result.
        with Live(
            picture, console=console, refresh_per_second=12, transient=True, vertical_overflow="ellipsis"
        ) as live:
            yield lambda test: live.refresh()
    else:
        yield _Notices(progress)


class _Picture:
    """Renders the current state as a table with a spinner. Rich calls `__rich__` at each refresh."""

    def __init__(self, progress: Progress, console: Console) -> None:
        self._progress, self._console = progress, console
        self._spinner = Spinner("dots", style="wait")

    def __rich__(self) -> RenderableType:
        self._spinner.update(text=Text(results.progress_text(self._progress)))
        tests = list(self._progress.tests.values())
        parts: list[RenderableType] = [results.tests_table(tests, self._console)] if tests else []
        return Group(*parts, self._spinner)


class _Notices:
    """Prints a line on stderr when the submission's place in the queue changes, and when the connection is lost. Used if the
    output is a file or a pipe.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress, self._shown = progress, ""

    def __call__(self, test: Test | None) -> None:
        if self._progress.phase != "queued" and not self._progress.lost:
            return
        text = results.progress_text(self._progress)
        if text != self._shown:
            self._shown = text
            screen.notice(text)


def _left(client: Client, submission_id: str, console: Console) -> None:
    """Asks the user, who has pressed Ctrl+C, whether to cancel the judging. Cancels the judging if the user agrees.

    If the user does not agree, or if the output is not a terminal, raises `Failure`. In this case, the judging continues.
    """
    cancel = False
    if console.is_terminal:
        try:
            cancel = typer.confirm("\nCancel this judging? «No» leaves it running", default=False)
        except (typer.Abort, KeyboardInterrupt):
            console.print()
    if not cancel:
        text = f"The judging continues. See the result with: gradus status {submission_id}"
        raise Failure(text, exit_code=INTERRUPTED)
    try:
        client.post(f"/submissions/{submission_id}/cancel", Submission)
    except Failure as failure:
        if failure.code != "already_finished":
            raise
