"""Checks the outputs shown below examples, the exceptions that pitfalls name, and the keys (right answers) of quiz questions.

The functions `write_…` run the code of a page and write its outputs and keys. The functions `check_…` run the code and report
outputs and keys that are stale. The same rules apply to topics and to statements.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from grader.content import topic
from grader.content.authoring.covers import unknown_covers
from grader.content.authoring.finding import Finding
from grader.content.examples import Example, examples, filled_in
from grader.content.package import Forbidden, Package
from grader.content.package import load as load_package
from grader.content.quizzes import predictions, quiz
from grader.content.quizzes.quiz import Keys, Numeric, Predict, Quiz
from grader.content.topic import Topic
from grader.contract.errors import PackageError
from grader.gate.pages.snippets import KEY_EXPRESSIONS, PREAMBLE, Snippet, SnippetResult, bare_package, run
from grader.judging.workbench import Workbench

# The simulation of a numeric question, and the code of a predict question that draws random numbers, run on this many seeds. If
# one seed in ten contradicts the key, the check detects this with a probability of 88 % (1 - 0.9 ** 20).
SEEDS = range(20)


def write_topic(bench: Workbench, folder: Path) -> list[Finding]:
    """Run a topic's examples and predict questions. Write the outputs into page.md and the keys (right answers) into quiz.lock.

    Returns the findings. If any of them concerns a predict question, quiz.lock is not written.
    """
    read = topic.load(folder, locked=False)
    found = list(_pitfalls(bench, read, folder))
    found += _write_outputs(bench, bare_package(read.id), PREAMBLE, folder / "page.md")
    if read.quiz is not None:
        keys, wrong = _computed(bench, read, read.quiz, folder)
        found += wrong
        if keys and not wrong:
            quiz.write_lock(folder, _torch_version(bench, folder), keys)
    return found


def check_topic(bench: Workbench, folder: Path) -> list[Finding]:
    """Check a topic's pitfalls, examples and quiz. Returns the findings; an empty list if the topic may be served."""
    try:
        read = topic.load(folder)
        found = [*_pitfalls(bench, read, folder), *_stale(bench, bare_package(read.id), PREAMBLE, folder / "page.md")]
        if read.quiz is not None:
            keys, wrong = _computed(bench, read, read.quiz, folder)
            found += [*wrong, *_other_keys(read.quiz, keys), *unknown_covers(folder, read.quiz.covers)]
            found += _simulated(bench, read, read.quiz, folder)
    except PackageError as error:
        return [Finding(folder.name, str(error))]
    return found


def write_statement(bench: Workbench, folder: Path) -> list[Finding]:
    """Run the examples of a challenge's statement and editorial, and write the outputs below them. Returns the findings.

    The examples may use the names that the reference answer defines.
    """
    package = _unforbidding(folder)
    return [
        finding
        for name in ("statement.md", "editorial.md")
        for finding in _write_outputs(bench, package, _known(package), folder / name)
    ]


def check_statement(bench: Workbench, folder: Path) -> list[Finding]:
    """Check the examples of a challenge's statement and editorial, and the outputs below them. Returns the findings."""
    package = _unforbidding(folder)
    return [
        finding
        for name in ("statement.md", "editorial.md")
        for finding in _stale(bench, package, _known(package), folder / name)
    ]


def _unforbidding(folder: Path) -> Package:
    """Load the package without its list of forbidden names. The list applies to answers; examples may use these names."""
    package = load_package(folder, locked=False)
    return structs.replace(package, info=structs.replace(package.info, forbidden=Forbidden()))


def _known(package: Package) -> str:
    """Return the code that runs before an example. It imports torch, nn and F, and contains the reference answer."""
    future, _, rest = (
        package.reference.partition("\n") if package.reference.startswith("from __future__") else ("", "", "")
    )
    return f"{future}\n{PREAMBLE}{rest}" if future else PREAMBLE + package.reference


def _ran(bench: Workbench, package: Package, source: str, path: Path) -> list[tuple[Example, SnippetResult]]:
    found = examples(path.read_text(encoding="utf-8"))
    ran = run(bench, package, source, [Snippet(each.code, shared=True) for each in found], path)
    return list(zip(found, ran, strict=True))


def _write_outputs(bench: Workbench, package: Package, source: str, path: Path) -> list[Finding]:
    pairs = _ran(bench, package, source, path)
    found = list(_misbehaved(path, pairs))
    text = path.read_text(encoding="utf-8")
    filled = filled_in(text, [ran.output for _, ran in pairs])
    if filled != text and not found:  # if an example does not raise what it should, nothing is written
        path.write_text(filled, encoding="utf-8")
    return found


def _stale(bench: Workbench, package: Package, source: str, path: Path) -> Iterator[Finding]:
    pairs = _ran(bench, package, source, path)
    yield from _misbehaved(path, pairs)
    for example, ran in pairs:
        if example.output.rstrip() != ran.output.rstrip():
            again = "run `gradus challenge lock` to write what it prints now"
            yield Finding(f"{path.name}:{example.line}", f"the output below the example is stale; {again}")


def _misbehaved(path: Path, pairs: list[tuple[Example, SnippetResult]]) -> Iterator[Finding]:
    for example, ran in pairs:
        if ran.raised != example.raises:
            meant = f"raise {example.raises}" if example.raises else "raise nothing"
            told = f"raises {ran.raised}: {ran.said[:200]}" if ran.raised else "raises nothing"
            yield Finding(f"{path.name}:{example.line}", f"the example should {meant}, it {told}")


def _pitfalls(bench: Workbench, read: Topic, folder: Path) -> Iterator[Finding]:
    pitfalls = read.info.pitfall
    snippets = [Snippet(code) for pitfall in pitfalls for code in (pitfall.wrong, pitfall.right)]
    ran = run(bench, bare_package(read.id), PREAMBLE, snippets, folder / "topic.toml")
    for pitfall, wrong, right in zip(pitfalls, ran[::2], ran[1::2], strict=True):
        where = f"topic.toml, pitfall {pitfall.title!r}"
        if wrong.raised != pitfall.raises:
            told = f"{wrong.raised}: {wrong.said[:200]}" if wrong.raised else "nothing"
            yield Finding(where, f"`wrong` should raise {pitfall.raises or 'nothing'}, it raises {told}")
        if right.raised:
            yield Finding(where, f"`right` raises {right.raised}: {right.said[:200]}")


def _computed(bench: Workbench, read: Topic, sheet: Quiz, folder: Path) -> tuple[Keys, list[Finding]]:
    """Run the snippets of the predict questions. Returns the keys as a dict by question id, and the findings."""
    predicts = [question for question in sheet.questions if isinstance(question, Predict)]
    snippets = [Snippet(each.code, KEY_EXPRESSIONS[each.ask].format(of=each.of)) for each in predicts]
    ran = run(bench, bare_package(read.id), PREAMBLE, snippets, folder / "quiz.toml")
    keys: Keys = {}
    found: list[Finding] = []
    for question, outcome in zip(predicts, ran, strict=True):
        where = f"quiz.toml, question {question.id!r}"
        if outcome.raised and question.ask != "error":
            found.append(Finding(where, f"the code raises {outcome.raised}: {outcome.said[:200]}"))
            continue
        key = _key(question, outcome)
        if outcome.drew:
            found += _other_draws(bench, read, question, key, folder)
        try:
            found += [Finding(where, text) for text in _slips(question, predictions.read(question.ask, key))]
            keys[question.id] = key
        except predictions.Unreadable as error:
            found.append(Finding(where, f"the code gives {key[:80]!r}, which nobody could type: {error}"))
    return keys, found


def _other_draws(bench: Workbench, read: Topic, question: Predict, key: str, folder: Path) -> Iterator[Finding]:
    """Run the code of a predict question that draws random numbers on several seeds. Yields a finding for the first other key."""
    expression = KEY_EXPRESSIONS[question.ask].format(of=question.of)
    snippets = [_seeded(question.code, seed, expression) for seed in SEEDS]
    ran = run(bench, bare_package(read.id), PREAMBLE, snippets, folder / "quiz.toml")
    for seed, outcome in zip(SEEDS, ran, strict=True):
        other = outcome.raised if outcome.raised and question.ask != "error" else _key(question, outcome)
        if not _same_key(question, key, other):
            where = f"quiz.toml, question {question.id!r}"
            yield Finding(
                where, f"the code draws random numbers: on seed {seed} it gives {other[:80]!r}, the key is {key!r}"
            )
            return


def _same_key(question: Predict, key: str, other: str) -> bool:
    try:
        return predictions.agree(question.ask, *(predictions.read(question.ask, text) for text in (key, other)))
    except predictions.Unreadable:
        return key == other


def _seeded(code: str, seed: int, value: str) -> Snippet:
    return Snippet(f"torch.manual_seed({seed})\n{code}", value)


def _key(question: Predict, ran: SnippetResult) -> str:
    if question.ask == "error":
        return ran.raised or "none"
    if question.ask == "shape":
        assert isinstance(ran.value, list)
        return predictions.show("shape", ran.value)
    return str(ran.value)


def _slips(question: Predict, key: predictions.Predicted) -> Iterator[str]:
    for slip in question.slip:
        try:
            same = predictions.agree(question.ask, key, predictions.read(question.ask, slip.answer))
        except predictions.Unreadable as error:
            yield f"the slip {slip.answer!r} cannot be read: {error}"
            continue
        if same:
            yield f"the slip {slip.answer!r} is the right answer"


def _other_keys(sheet: Quiz, keys: Keys) -> Iterator[Finding]:
    for name, key in keys.items():
        if sheet.keys.get(name) != key:
            yield Finding(
                f"quiz.lock, question {name!r}", f"the key is {sheet.keys.get(name)!r}, the snippet gives {key!r}"
            )


def _simulated(bench: Workbench, read: Topic, sheet: Quiz, folder: Path) -> Iterator[Finding]:
    """Run the simulations of numeric questions. Yields a finding for each result that contradicts the question's key, and for
    each simulation that raises an exception.
    """
    for question in sheet.questions:
        if not isinstance(question, Numeric) or not question.simulation:
            continue
        where = f"quiz.toml, question {question.id!r}"
        snippets = [_seeded(question.simulation, seed, "float(value)") for seed in SEEDS]
        results = run(bench, bare_package(read.id), PREAMBLE, snippets, folder / "quiz.toml")
        for seed, ran in zip(SEEDS, results, strict=True):
            if ran.raised or not isinstance(ran.value, float):
                yield Finding(where, f"the simulation raises {ran.raised}: {ran.said[:200]}")
                break
            if not abs(ran.value - question.value) <= question.tolerance:
                key = f"{question.value:g} within {question.tolerance:g}"
                yield Finding(where, f"seed {seed} of the simulation gives {ran.value:g}, and the key is {key}")


def _torch_version(bench: Workbench, folder: Path) -> str:
    return str(run(bench, bare_package("version"), PREAMBLE, [Snippet("", "torch.__version__")], folder)[0].value)
