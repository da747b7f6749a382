"""Renders the results of a submission: the tests, the verdict, and the output and exhibits (charts) of the sample tests."""

import itertools
from collections.abc import Iterable

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from frontend.cli import clean
from frontend.cli.rendering import screen
from frontend.cli.rendering.pictures import picture
from frontend.cli.service.following import Progress
from frontend.cli.service.records import Place, Submission, Test

PRINTED_LINES = 40
# The grader's message about a test that was not run begins with these words.
NOT_RUN = "not run: "
# The same words as on the site.
ATTESTED = "not independently checked"
ATTESTED_MEANING = "Not independently checked tests were measured inside the process that ran the code."
# At most this many failed cases of a test are named.
NAMED_CASES = 3


def rendered(submission: Submission, console: Console, *, all_pictures: bool = False) -> RenderableType:
    """Renders a finished submission. Leaves out the exhibits (charts) of passed tests, unless `all_pictures` is set."""
    if submission.kind == "compare":
        return Group(*_compared(submission))
    parts: list[RenderableType] = []
    if ran := [test for test in submission.tests if not test.message.startswith(NOT_RUN)]:
        parts += [tests_table(ran, console), Text()]
    if any(test.attested for test in ran):
        parts += [Text(ATTESTED_MEANING, style="quiet"), Text()]
    parts += _not_run(submission)
    for test in submission.tests:
        if test.exhibits and (all_pictures or test.verdict != "AC"):
            parts += [Padding(picture(exhibit, console), (0, 0, 1, 0)) for exhibit in test.exhibits]
    parts += printed(submission)
    return Group(*parts, *verdict(submission))


def _compared(submission: Submission) -> list[RenderableType]:
    """Returns how the answer compares with the reference on an own input, or why nothing was compared."""
    test = next(iter(submission.tests), None)
    found = next((each.title for each in test.exhibits if each.kind == "comparison"), "") if test else ""
    if test is None or submission.status == "cancelled" or submission.verdict == "JE" or submission.compile_error:
        return [*printed(submission), *verdict(submission)]
    text = clean.line(found) or clean.block(test.message).strip()
    style = "good" if submission.verdict == "AC" else "bad"
    parts = [*printed(submission), Text(f"{'✓' if style == 'good' else '✗'} {text}", style=style)]
    # If the answer raised an exception, the message is its traceback.
    if found and test.message and clean.line(test.message) != text:
        parts.append(Text(clean.block(test.message).strip()))
    return parts


def _not_run(submission: Submission) -> list[RenderableType]:
    """Returns a line that says how many tests were not run and why. Returns an empty list if all tests ran. Also does so if
    there is a compile error, because its message already explains why no test ran.
    """
    left = [test for test in submission.tests if test.message.startswith(NOT_RUN)]
    if not left or submission.compile_error:
        return []
    reasons = dict.fromkeys(clean.line(test.message.removeprefix(NOT_RUN)).rstrip(".") for test in left)
    many = "1 test was" if len(left) == 1 else f"{len(left)} tests were"
    return [Text(f"{many} not run: {'; '.join(reasons)}.", style="quiet"), Text()]


def tests_table(tests: Iterable[Test], console: Console) -> Table:
    """Returns a table with one row per test function. A parametrized function has several cases, and its row shows the message
    of the first case that failed.
    """
    table = screen.table()
    wide = console.width >= screen.NARROW
    table.add_column(width=1)
    table.add_column("test", ratio=1, overflow="fold")
    table.add_column("points", justify="right", no_wrap=True)
    if wide:
        table.add_column("time", justify="right", no_wrap=True)
    for _, group in itertools.groupby(tests, key=_function):
        cases = list(group)
        passed = [case for case in cases if case.verdict == "AC"]
        style = "good" if len(passed) == len(cases) else "bad"
        points = f"{sum(case.points for case in passed)}/{sum(case.points for case in cases)}"
        row = [
            Text("✓" if style == "good" else "✗", style=style),
            _case_count(cases, len(passed)),
            Text(points, style=style),
        ]
        took = Text(screen.seconds(sum(case.seconds for case in cases)), style="quiet")
        table.add_row(*row, *([took] if wide else []))
    return table


def _function(test: Test) -> str:
    return test.id.partition("[")[0]


def _case_count(cases: list[Test], passed: int) -> Text:
    # A test's title says what is wrong with an answer that fails the test. So if a test passed, its name is shown instead.
    name = clean.line(_function(cases[0]).rpartition("::")[2].removeprefix("test_").replace("_", " "))
    text = Text(name)
    marks = ["sample"] if cases[0].sample else []
    marks += [ATTESTED] if cases[0].attested else []
    if len(cases) > 1:
        marks.append(f"{passed} of {len(cases)} cases")
        failed = [case.id.partition("[")[2].removesuffix("]") for case in cases if case.verdict != "AC"]
        marks += [f"failed: {clean.line(', '.join(failed[:NAMED_CASES]))}"] if failed else []
    text.append(f"  {', '.join(marks)}", style="quiet")
    if passed == len(cases):
        return text
    case = next(case for case in cases if case.verdict != "AC")
    if case.verdict != "WA":
        verdict_name = screen.VERDICTS.get(case.verdict, (clean.line(case.verdict), ""))[0]
        text.append(f"\n{verdict_name}{f', line {case.line} of your answer' if case.line else ''}", style="bad")
    # The message of a failed test can be equal to its title. In this case, the text is shown only once.
    message = screen.VERDICTS["JE"][1] if case.verdict == "JE" else clean.block(case.message).strip()
    parts = [clean.line(case.title), message]
    return text.append("".join(f"\n{line}" for line in dict.fromkeys(parts) if line))


def verdict(submission: Submission) -> list[RenderableType]:
    """Returns the verdict, the score, the CPU time and the memory, and a text that explains a verdict other than AC."""
    name = screen.verdict_text(submission.status, submission.verdict, submission.kind)
    name.stylize("bold")
    if submission.kind != "scratch" and submission.verdict:
        name.append(f"  {submission.score} of {submission.max_score} points", style="default")
    if submission.cpu_s is not None:
        took = f"  {screen.seconds(submission.cpu_s)} of CPU time, {screen.megabytes(submission.memory_mb)}"
        name.append(took, style="quiet")
    parts: list[RenderableType] = [name]
    if submission.verdict not in (None, "AC"):
        meaning = screen.VERDICTS.get(submission.verdict or "", ("", ""))[1]
        # The message of an internal error of the judge (JE) is meant for operators. A compile error is shown further below.
        own = "" if submission.verdict == "JE" or submission.compile_error else submission.message
        parts.append(Text(clean.block(own).strip() or meaning))
    return parts + _compile_error(submission)


def _compile_error(submission: Submission) -> list[RenderableType]:
    error = submission.compile_error
    if error is None:
        return []
    where = f"line {error.line}: " if error.line else ""
    parts: list[RenderableType] = [Text(f"{where}{clean.line(error.message)}", style="bad")]
    if error.text.strip():
        source = clean.block(error.text).rstrip("\n").split("\n")[0]
        shift = len(source) - len(source.lstrip())
        parts.append(Text(f"    {source.strip()}", style="key"))
        if error.column and error.column > shift:
            parts.append(Text(" " * (4 + error.column - 1 - shift) + "^", style="bad"))
    return parts


def printed(submission: Submission) -> list[RenderableType]:
    """Returns what the answer printed in each sample test, and what it printed outside tests."""
    outputs = [
        (f"printed in {clean.line(test.title)}", test.stdout) for test in submission.tests if test.stdout.strip()
    ]
    outputs += [("printed", submission.output)] if submission.output.strip() else []
    parts: list[RenderableType] = []
    for title, text in outputs:
        lines = clean.block(text).rstrip().split("\n")
        parts += [Text(title, style="quiet"), Padding(Text("\n".join(lines[:PRINTED_LINES])), (0, 0, 0, 2))]
        if len(lines) > PRINTED_LINES:
            parts.append(Text(f"  and {len(lines) - PRINTED_LINES} lines more", style="quiet"))
        parts.append(Text())
    if submission.output_truncated:
        parts.append(Text("The rest of the output was not kept.", style="quiet"))
    return parts


def waiting(place: Place, device: str = "cpu") -> str:
    """Returns a text that says which place a submission has in the queue, or why it must wait."""
    if place.reason:
        # If the device is cuda, the text says that no machine with a GPU is available, so that the user can choose cpu instead.
        machine = "machine with a GPU" if device == "cuda" else "machine"
        return f"No {machine} is available right now. Your code is saved and will run as soon as one is available."
    if place.again:
        return "Back in the queue: the machine that judged it was lost. Your answer is not lost."
    if place.position is None:
        return "In the queue"
    ahead = "next in the queue" if place.position == 1 else f"number {place.position} in the queue"
    expected = f", about {screen.seconds(place.expected_wait_s)}" if (place.expected_wait_s or 0) >= 1 else ""
    return f"Your answer is {ahead}{expected}"


def progress_text(progress: Progress) -> str:
    """Returns a text that says how far a judging has progressed."""
    if progress.lost:
        return "The connection was lost; reconnecting. The judging continues."
    if progress.phase == "queued":
        return waiting(progress.place, progress.device)
    return f"Judging: {len(progress.tests)} of {progress.total or '?'} tests"
