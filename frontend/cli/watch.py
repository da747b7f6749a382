"""Watches a judging: a live table on a terminal, notices on stderr elsewhere; Ctrl+C asks what shall become of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from frontend.cli import results, screen
from frontend.cli.client import Client
from frontend.cli.failure import INTERRUPTED, Failure
from frontend.cli.following import Progress, follow
from frontend.cli.records import Submission, Test


def watch(client: Client, submission_id: str, console: Console, *, silent: bool = False) -> Submission:
    """The submission once it has ended. Raises `Failure` when the watcher leaves before."""
    progress = Progress()
    try:
        with _shown(progress, console, silent=silent) as show:
            for event in follow(client, submission_id):
                show(progress.take(event))
    except KeyboardInterrupt:
        _left(client, submission_id, console)
    return client.get(f"/submissions/{submission_id}", Submission)


@contextmanager
def _shown(progress: Progress, console: Console, *, silent: bool) -> Iterator[Callable[[Test | None], None]]:
    if silent:
        yield lambda test: None
    elif console.is_terminal:
        picture = _Picture(progress, console)
        # Transient: the whole result takes its place at the end.
        with Live(
            picture, console=console, refresh_per_second=12, transient=True, vertical_overflow="ellipsis"
        ) as live:
            yield lambda test: live.refresh()
    else:
        yield _Notices(progress)


class _Picture:
    """What is known now, drawn anew with each refresh."""

    def __init__(self, progress: Progress, console: Console) -> None:
        self._progress, self._console = progress, console
        self._spinner = Spinner("dots", style="wait")

    def __rich__(self) -> RenderableType:
        self._spinner.update(text=Text(results.going_on(self._progress)))
        tests = list(self._progress.tests.values())
        parts: list[RenderableType] = [results.tests_table(tests, self._console)] if tests else []
        return Group(*parts, self._spinner)


class _Notices:
    """For a file or a pipe: what keeps one waiting is told once, on stderr."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._told = progress, ""

    def __call__(self, test: Test | None) -> None:
        if self._progress.phase != "queued" and not self._progress.lost:
            return
        told = results.going_on(self._progress)
        if told != self._told:
            self._told = told
            screen.notice(told)


def _left(client: Client, submission_id: str, console: Console) -> None:
    """Ctrl+C: cancel, or leave it running. Returns when it was cancelled."""
    cancel = False
    if console.is_terminal:
        try:
            cancel = typer.confirm("\nCancel this judging? «No» leaves it running", default=False)
        except (typer.Abort, KeyboardInterrupt):
            console.print()
    if not cancel:
        told = f"Left running. See its end with: gradus status {submission_id}"
        raise Failure(told, exit_code=INTERRUPTED)
    try:
        client.post(f"/submissions/{submission_id}/cancel", Submission)
    except Failure as failure:
        if failure.code != "already_finished":
            raise
