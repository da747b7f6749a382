"""Builds the pages of the preview: a list of all challenges and topics, and a page for each challenge and topic. A topic's page
shows the right answers of the quiz.
"""

from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files
from pathlib import Path

from pygments.formatters import HtmlFormatter

from grader.content import package, topic
from grader.content.package import Package
from grader.content.quizzes.quiz import Choice, Match, Numeric, Order, Predict, Question, Quiz
from grader.content.topic import Topic
from grader.contract.errors import PackageError
from grader.gate.preview.markdown import code, html

STYLE = (files("grader.gate.preview") / "preview.css").read_text(encoding="utf-8")
LIGHT = HtmlFormatter(style="default").get_style_defs(".code")
DARK = HtmlFormatter(style="github-dark").get_style_defs(".code")
# Asks the server once a second for the folder's version, and reloads the page when the version changes.
RELOAD = """
const seen = document.body.dataset.version;
setInterval(async () => {
  const now = await fetch(location.pathname + '?version').then((r) => r.text()).catch(() => seen);
  if (now !== seen) location.reload();
}, 1000);
"""


def listing(root: Path) -> str:
    """Build the front page: a list of all challenges and topics, by section."""
    rows = [("challenge", path) for path in package.find(root)] + [("topic", path) for path in topic.find(root)]
    sections = sorted({path.parent.name for _, path in rows})
    parts = ["<h1>Preview</h1>"]
    for section in sections:
        here = sorted((kind, path.name) for kind, path in rows if path.parent.name == section)
        links = "".join(f'<li><small>{kind}</small> <a href="/{kind}/{name}">{name}</a></li>' for kind, name in here)
        parts.append(f"<h2>{escape(section)}</h2><ul>{links}</ul>")
    return page("Preview", parts, "")


def folder_page(kind: str, folder: Path, version: str) -> str:
    """Build the page of a challenge or topic. If the folder cannot be read, the page shows the error."""
    try:
        if kind == "challenge":
            read = package.load(folder, locked=False)
            return page(read.info.title, _challenge(read), version)
        subject = topic.load(folder, locked=(folder / "quiz.lock").is_file())
        return page(subject.info.title, _topic(subject), version)
    except PackageError as error:
        return page(folder.name, [f"<h1>{escape(folder.name)}</h1><p class='bad'>{escape(str(error))}</p>"], version)


def page(title: str, parts: Iterable[str], version: str) -> str:
    """Build a complete HTML document. If `version` is given, the page reloads itself when the folder's version changes."""
    style = f"{STYLE}\n{LIGHT}\n@media (prefers-color-scheme: dark) {{ {DARK} }}"
    script = f"<script>{RELOAD}</script>" if version else ""
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body data-version='{escape(version)}'><main>{''.join(parts)}</main>{script}</body></html>"
    )


def _head(title: str, facts: Iterable[str], lead: str) -> str:
    tags = "".join(f"<span>{escape(fact)}</span>" for fact in facts)
    return (
        f'<a class="back" href="/">all pages</a><h1>{escape(title)}</h1><p class="tags">{tags}</p><p>{escape(lead)}</p>'
    )


def _challenge(read: Package) -> Iterator[str]:
    info, tests = read.info, read.lock.tests
    counts = [f"{len(tests)} tests", f"{read.max_score} points"] if tests else ["no tests.lock yet"]
    facts = [info.section, info.difficulty, f"{info.minutes} min", info.form, *counts]
    yield _head(info.title, facts, info.summary)
    yield html(read.statement)
    yield f"<h2>Starter</h2>{code(read.starter)}"
    hints = "".join(
        f"<details><summary>Hint {n}</summary>{html(hint)}</details>" for n, hint in enumerate(info.hints, 1)
    )
    yield f"<h2>Hints</h2>{hints}"
    rows = "".join(
        f"<tr><td>{escape(test.title)}</td><td>{test.points}</td><td>{'sample' if test.sample else 'hidden'}</td></tr>"
        for test in tests
    )
    yield f"<h2>Tests</h2><table><tr><th>what a candidate reads</th><th>points</th><th></th></tr>{rows}</table>"
    yield f"<h2>Why it is asked</h2>{html(info.why)}<h2>What a good answer shows</h2>{html(info.skill)}"
    yield f"<h2>Editorial</h2>{html(read.editorial)}<h2>Reference</h2>{code(read.reference)}"


def _topic(read: Topic) -> Iterator[str]:
    info = read.info
    yield _head(info.title, [info.section, info.difficulty], info.purpose)
    yield f"<blockquote>{html(info.answer)}</blockquote><h2>How it is asked</h2>{_list(info.phrasings)}"
    yield f"<h2>Why</h2>{html(info.why)}{html(read.page)}<h2>Pitfalls</h2>"
    for pitfall in info.pitfall:
        raised = f" <em>raises {escape(pitfall.raises)}</em>" if pitfall.raises else ""
        yield (
            f'<h3>{escape(pitfall.title)}</h3><div class="beside"><div><small>wrong{raised}</small>{code(pitfall.wrong)}</div>'
            f"<div><small>right</small>{code(pitfall.right)}</div></div>{html(pitfall.why)}"
        )
    yield f"<h2>Review</h2>{_list(info.review)}<h2>Cards</h2>"
    yield "".join(f"<details><summary>{html(c.front)}</summary>{html(c.back)}</details>" for c in info.card)
    if read.quiz is not None:
        yield "<h2>Quiz</h2>" + "".join(_question(each, read.quiz) for each in read.quiz.questions)


def _list(texts: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{html(text)}</li>" for text in texts) + "</ul>"


def _question(question: Question, quiz: Quiz) -> str:
    body = "".join(_body(question, quiz))
    why = f'<div class="why">{html(question.explanation)}</div>'
    return f"<section><small>{escape(question.id)}</small>{html(question.prompt)}{body}{why}</section>"


def _body(question: Question, quiz: Quiz) -> Iterator[str]:
    match question:
        case Choice():
            yield _list(
                f"{'✓' if each.right else '✗'} {each.text} {each.reason and f'— *{each.reason}*'}"
                for each in question.option
            )
        case Match():
            yield _list(f"{pair.left} → {pair.right}" for pair in question.pair)
        case Order():
            yield _list(f"{number}. {step}" for number, step in enumerate(question.steps, 1))
        case Numeric():
            yield html(f"**{question.value:g}** {question.unit}")
        case Predict():
            yield code(question.code)
            asked = question.ask if not question.of else f"{question.ask} of `{question.of}`"
            yield html(f"{asked}: **{quiz.keys.get(question.id, 'not computed yet')}**")
