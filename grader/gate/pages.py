"""The gate for pages: examples print what stands below them, pitfalls go wrong as they say, predict keys are computed.

`write` fills in outputs and keys; `check` says what is stale. Topics and statements follow the same rule for examples.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from grader import predicted, quiz, topic
from grader.errors import PackageError
from grader.examples import Example, examples, filled_in
from grader.gate.finding import Finding
from grader.gate.snippets import PREAMBLE, TAKEN, Ran, Snippet, bare_package, run
from grader.package import Forbidden, Package
from grader.package import load as load_package
from grader.quiz import Keys, Predict, Quiz
from grader.topic import Topic
from grader.workbench import Workbench


def write_topic(bench: Workbench, folder: Path) -> list[Finding]:
    """Run a topic's examples and predict questions, write outputs and keys, and say what is wrong with it."""
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
    """Everything wrong with a topic; empty when it may be served."""
    try:
        read = topic.load(folder)
        found = [*_pitfalls(bench, read, folder), *_stale(bench, bare_package(read.id), PREAMBLE, folder / "page.md")]
        if read.quiz is not None:
            keys, wrong = _computed(bench, read, read.quiz, folder)
            found += [*wrong, *_other_keys(read.quiz, keys)]
    except PackageError as error:
        return [Finding(folder.name, str(error))]
    return found


def write_statement(bench: Workbench, folder: Path) -> list[Finding]:
    """Fill in the outputs of a challenge's statement and editorial, whose examples know the reference answer's names."""
    package = _unforbidding(folder)
    return [
        finding
        for name in ("statement.md", "editorial.md")
        for finding in _write_outputs(bench, package, _known(package), folder / name)
    ]


def check_statement(bench: Workbench, folder: Path) -> list[Finding]:
    """What is stale in a challenge's statement and editorial."""
    package = _unforbidding(folder)
    return [
        finding
        for name in ("statement.md", "editorial.md")
        for finding in _stale(bench, package, _known(package), folder / name)
    ]


def _unforbidding(folder: Path) -> Package:
    """Where the examples of a challenge run: they may use what its answers may not."""
    package = load_package(folder, locked=False)
    return structs.replace(package, info=structs.replace(package.info, forbidden=Forbidden()))


def _known(package: Package) -> str:
    """What an example of a statement may use without importing it: torch, nn, F, and the reference answer's names."""
    future, _, rest = (
        package.reference.partition("\n") if package.reference.startswith("from __future__") else ("", "", "")
    )
    return f"{future}\n{PREAMBLE}{rest}" if future else PREAMBLE + package.reference


def _ran(bench: Workbench, package: Package, source: str, path: Path) -> list[tuple[Example, Ran]]:
    found = examples(path.read_text(encoding="utf-8"))
    ran = run(bench, package, source, [Snippet(each.code, shared=True) for each in found], path)
    return list(zip(found, ran, strict=True))


def _write_outputs(bench: Workbench, package: Package, source: str, path: Path) -> list[Finding]:
    pairs = _ran(bench, package, source, path)
    found = list(_misbehaved(path, pairs))
    text = path.read_text(encoding="utf-8")
    filled = filled_in(text, [ran.output for _, ran in pairs])
    if filled != text and not found:  # an error nobody meant is no output to write down
        path.write_text(filled, encoding="utf-8")
    return found


def _stale(bench: Workbench, package: Package, source: str, path: Path) -> Iterator[Finding]:
    pairs = _ran(bench, package, source, path)
    yield from _misbehaved(path, pairs)
    for example, ran in pairs:
        if example.output.rstrip() != ran.output.rstrip():
            again = "run `gradus challenge lock` to write what it prints now"
            yield Finding(f"{path.name}:{example.line}", f"the output below the example is stale; {again}")


def _misbehaved(path: Path, pairs: list[tuple[Example, Ran]]) -> Iterator[Finding]:
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
    """The keys of the predict questions, and what is wrong with the questions."""
    predicts = [question for question in sheet.questions if isinstance(question, Predict)]
    snippets = [Snippet(each.code, TAKEN[each.ask].format(of=each.of)) for each in predicts]
    ran = run(bench, bare_package(read.id), PREAMBLE, snippets, folder / "quiz.toml")
    keys: Keys = {}
    found: list[Finding] = []
    for question, outcome in zip(predicts, ran, strict=True):
        where = f"quiz.toml, question {question.id!r}"
        if outcome.raised and question.ask != "error":
            found.append(Finding(where, f"the code raises {outcome.raised}: {outcome.said[:200]}"))
            continue
        key = _key(question, outcome)
        try:
            found += [Finding(where, text) for text in _slips(question, predicted.read(question.ask, key))]
            keys[question.id] = key
        except predicted.Unreadable as error:
            found.append(Finding(where, f"the code gives {key[:80]!r}, which nobody could type: {error}"))
    return keys, found


def _key(question: Predict, ran: Ran) -> str:
    if question.ask == "error":
        return ran.raised or "none"
    if question.ask == "shape":
        assert isinstance(ran.value, list)
        return predicted.show("shape", ran.value)
    return str(ran.value)


def _slips(question: Predict, key: predicted.Predicted) -> Iterator[str]:
    for slip in question.slip:
        try:
            same = predicted.agree(question.ask, key, predicted.read(question.ask, slip.answer))
        except predicted.Unreadable as error:
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


def _torch_version(bench: Workbench, folder: Path) -> str:
    return str(run(bench, bare_package("version"), PREAMBLE, [Snippet("", "torch.__version__")], folder)[0].value)
