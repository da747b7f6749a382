"""What stands in the reports that are drawn as PDF: blocks of `paper`, made from what the pages show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.participations.watching_schemas import WatchedItem, WatchedParticipation
from api.rejudges.own_schemas import AppliedRejudge, RejudgedItem
from api.reporting.answers import Answered
from api.reporting.schemas import Results
from api.reviews.service import NOTES, notes

Block = dict[str, Any]
VERDICTS = {
    "AC": "Accepted", "WA": "Wrong answer", "RE": "Runtime error", "TLE": "Time limit", "MLE": "Memory limit",
    "OLE": "Output limit", "CE": "Does not compile", "RV": "Not allowed", "JE": "Judge error",
}  # fmt: skip
JUDGED_AGAIN = (
    "The team published a newer version of a challenge, and had answers judged on it that were there already. What they "
    "came to then is what counts."
)
ENDS = {"candidate": "until finished", "deadline": "until the deadline", "team": "ended by the team"}
# More people stand in the file for spreadsheets.
MOST_PEOPLE = 300


@dataclass(frozen=True)
class About:
    """Whose report it is, and when it was made."""

    team: str
    assessment: str
    made_at: datetime


def of_cohort(results: Results, again: Sequence[AppliedRejudge], about: About) -> dict[str, Any]:
    """The report about everybody; `again`: which challenges were judged again since."""
    counted = "best" if results.attempts == "best" else "last"
    version = "All versions" if results.version is None else f"Version {results.version}"
    under = f"{about.team}. {version}; of several attempts the {counted} one counts."
    return _report(about, "Results", about.assessment, under, [*_cohort(results), *_again(again)])


def _cohort(results: Results) -> Iterator[Block]:
    figures = [
        [str(results.started), "started"],
        [str(results.finished), "finished"],
        [_percent(results.median), "median score"],
        [_percent(results.mean), "mean score"],
    ]
    yield {"kind": "facts", "facts": figures}
    if not results.people:
        yield {"kind": "text", "text": "Nobody has finished yet."}
        return
    yield _heading("Scores")
    bars = [[f"{10 * tenth}–{10 * tenth + 10} %", count] for tenth, count in enumerate(results.distribution)]
    yield {"kind": "bars", "bars": bars, "under": "People by tenths of the points."}
    yield _heading("Items")
    yield _table(
        ["Item", "People", "Solved", "Points reached", "Discrimination", "Median time"],
        [34, 10, 10, 16, 16, 14],
        [
            [
                item.title,
                str(item.people),
                str(item.solved),
                _percent(item.difficulty),
                "–" if item.discrimination is None else f"{item.discrimination:.2f}",
                lasting(item.median_s),
            ]
            for item in results.items
        ],
    )
    yield _heading("People")
    yield from _people(results)


def _people(results: Results) -> Iterator[Block]:
    rows = [
        [
            person.name,
            person.email,
            f"{person.score:g} of {person.points}",
            _percent(person.share),
            lasting(person.seconds),
            str(person.noticed.pastes),
            _percent(person.similarity),
            _decided(person.decision),
        ]
        for person in results.people[:MOST_PEOPLE]
    ]
    head = ["Name", "E-mail", "Points", "Score", "Time", "Pastes", "Similarity", "Decision"]
    yield _table(head, [22, 39, 12, 9, 11, 9, 12, 12], rows, left=2)
    if len(results.people) > MOST_PEOPLE:
        more = len(results.people) - MOST_PEOPLE
        yield {"kind": "text", "text": f"{more} more people stand in the file for spreadsheets."}


def _again(again: Sequence[AppliedRejudge]) -> Iterator[Block]:
    if not again:
        return
    yield _heading("Judged again")
    yield {"kind": "text", "text": JUDGED_AGAIN}
    rows = [[one.title, f"Version {one.version}", _applied(one), f"{one.changed} of {one.people}"] for one in again]
    yield _table(["Challenge", "Judged on", "Applied", "People with a change"], [30, 14, 38, 18], rows, left=3)


async def notes_of(session: AsyncSession, participation_id: str) -> list[tuple[str, str]]:
    """What members of the team wrote: author and words, in the order of writing."""
    rows = await session.execute(notes(participation_id, "").limit(NOTES))
    return [(author or "Somebody who has left", note.text) for note, author in rows]


def of_person(
    found: WatchedParticipation,
    answers: dict[int, Answered],
    said: Sequence[tuple[str, str]],
    again: Sequence[RejudgedItem],
    about: About,
) -> dict[str, Any]:
    """The report about one person; `again`: what was judged again, and what it had come to before."""
    under = ". ".join(part for part in (about.assessment, about.team, found.email) if part)
    told = [*_person(found), *_anew(found, again), *_said(said)]
    blocks = [*told, *(block for item in found.items for block in _item(item, answers))]
    return _report(about, found.name, found.name, under, blocks)


def _person(found: WatchedParticipation) -> Iterator[Block]:
    share, noticed = found.adjusted / found.points if found.points else 0.0, found.signals
    ended = found.finished_at
    took = lasting((ended - found.started_at).total_seconds()) if ended else "running"
    yield {
        "kind": "facts",
        "facts": [
            [_percent(share), f"{found.adjusted:g} of {found.points} points"],
            [took, ENDS[found.finished_by] if found.finished_by else "not finished yet"],
            [str(noticed.pastes), "pastes"],
            [str(noticed.left), "times page left"],
            [_decided(found.decision), "decision"],
        ],
    }
    yield _heading("Items")
    yield _table(
        ["Item", "Outcome", "Answers", "Time", "Points"],
        [42, 22, 11, 11, 14],
        [
            [item.title, _outcome(item), str(item.sent), _spent(item), f"{item.adjusted:g} of {item.points}"]
            for item in found.items
        ],
        left=2,
    )
    facts = f"Characters pasted in all: {noticed.pasted:,}. Changes of device: {noticed.devices}."
    yield {"kind": "text", "text": f"Of several answers the best one counts. {facts} These are facts, not judgements."}


def _anew(found: WatchedParticipation, again: Sequence[RejudgedItem]) -> Iterator[Block]:
    if not again:
        return
    titles = {item.position: item.title for item in found.items}
    yield _heading("Judged again")
    yield {"kind": "text", "text": JUDGED_AGAIN}
    rows = [
        [
            titles[one.position],
            f"Version {one.version}",
            _verdict(one.verdict_before),
            _verdict(one.verdict_after),
            _applied(one),
            f"{one.score_before:g} → {one.score_after:g}",
        ]
        for one in again
    ]
    yield _table(["Item", "Judged on", "Before", "After", "Applied", "Points"], [24, 12, 16, 16, 20, 12], rows, left=5)


def _said(said: Sequence[tuple[str, str]]) -> Iterator[Block]:
    if said:
        yield _heading("Notes")
    yield from ({"kind": "note", "author": author, "text": text} for author, text in said)


def _item(item: WatchedItem, answers: dict[int, Answered]) -> Iterator[Block]:
    if item.position not in answers:
        return
    last = answers[item.position]
    yield _heading(f"{item.position}. {item.title}")
    outcome = VERDICTS.get(last.submission.verdict or "", last.submission.status)
    yield {"kind": "text", "text": f"Last answer, sent {_moment(last.submission.created_at)}: {outcome}."}
    if last.submission.tests:
        rows = [
            [test.title, VERDICTS[test.verdict] if test.verdict != "AC" else "Passed", str(test.points)]
            for test in last.submission.tests
        ]
        failed = [number for number, test in enumerate(last.submission.tests) if test.verdict != "AC"]
        yield {**_table(["Test", "Result", "Points"], [64, 22, 14], rows, left=2), "marked": failed}
    yield {"kind": "code", "source": last.source}


def _report(about: About, name: str, title: str, under: str, blocks: Sequence[Block]) -> dict[str, Any]:
    full = f"{about.assessment}: {name}"
    return {"name": full, "title": title, "under": under, "made_at": _moment(about.made_at), "blocks": blocks}


def _heading(text: str) -> Block:
    return {"kind": "heading", "text": text}


def _table(head: list[str], widths: list[int], rows: list[list[str]], left: int = 1) -> Block:
    return {"kind": "table", "head": head, "widths": widths, "rows": rows, "left": left}


def _outcome(item: WatchedItem) -> str:
    if item.verdict:
        return VERDICTS[item.verdict]
    return "Answered" if item.sent else "Nothing sent"


def _verdict(verdict: str | None) -> str:
    return VERDICTS[verdict] if verdict else "Nothing"


def _applied(one: AppliedRejudge | RejudgedItem) -> str:
    return _moment(one.applied_at) + (f", by {one.applied_by}" if one.applied_by else "")


def _decided(decision: str) -> str:
    return "–" if decision == "none" else decision.capitalize()


def _spent(item: WatchedItem) -> str:
    return lasting(item.spent_s) if item.opened_at else "–"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _moment(moment: datetime) -> str:
    return f"{moment:%d %B %Y, %H:%M} UTC"


def lasting(seconds: float | None) -> str:
    """A time as people say it."""
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    if minutes >= 10 or (minutes and not rest):
        return f"{minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
