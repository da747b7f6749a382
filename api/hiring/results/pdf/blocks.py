"""Builds the contents of the PDF reports, as blocks for `program.py`, from the same data as the pages of the web client."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from api.hiring.authoring.rejudges.schemas import AppliedRejudge, RejudgedItem
from api.hiring.monitoring.schemas import WatchedItem, WatchedParticipation
from api.hiring.results.pdf.assistant_blocks import talk
from api.hiring.results.pdf.block_formats import VERDICTS, Block, heading, lasting, moment, percent, table
from api.hiring.results.pdf.candidate_report_data import CandidateReportData
from api.hiring.results.pdf.challenge_answer_blocks import judged
from api.hiring.results.pdf.logo import logo_of_report
from api.hiring.results.pdf.quiz_answer_blocks import answered
from api.hiring.results.pdf.similarity_blocks import similar
from api.hiring.results.pdf.text_answer_blocks import decided, not_final, reached, written
from api.hiring.results.schemas import Results
from api.hiring.team_comparison.schemas import ComparedItem

JUDGED_AGAIN = (
    "The team published a newer version of a challenge and had existing answers judged with it. The new results are the ones "
    "that count."
)
ENDS = {"candidate": "until finished", "deadline": "until the deadline", "team": "ended by the team"}
# The maximum number of candidates in the PDF. The CSV file contains all of them.
MOST_PEOPLE = 300


@dataclass(frozen=True)
class ReportHeader:
    """The assessment and the team that a report is about, the time at which the report was made, and the team's logo."""

    team: str
    assessment: str
    made_at: datetime
    logo: bytes


def of_cohort(results: Results, again: Sequence[AppliedRejudge], about: ReportHeader) -> dict[str, Any]:
    """Build the report about all candidates. `again` lists the rejudges that were applied to the assessment."""
    counted = "best" if results.attempts == "best" else "last"
    version = "All versions" if results.version is None else f"Version {results.version}"
    under = f"{about.team}. {version}; of several attempts the {counted} one counts."
    return _report(about, "Results", about.assessment, under, [*_cohort(results), *_again(again)])


def _cohort(results: Results) -> Iterator[Block]:
    figures = [
        [str(results.started), "started"],
        [str(results.finished), "finished"],
        [percent(results.median), "median score"],
        [percent(results.mean), "mean score"],
    ]
    yield {"kind": "facts", "facts": figures}
    if not results.people:
        yield {"kind": "text", "text": "No one has finished yet."}
        return
    if results.to_review:
        one = "1 text is still to review and counts"
        texts = one if results.to_review == 1 else f"{results.to_review} texts are still to review and count"
        yield {"kind": "text", "text": f"{texts} as 0 points, so the scores are not final."}
    yield heading("Scores")
    bars = [[f"{10 * tenth}–{10 * tenth + 10}%", count] for tenth, count in enumerate(results.distribution)]
    yield {"kind": "bars", "bars": bars, "under": "Candidates by score, in steps of 10%."}
    yield heading("Items")
    yield table(
        ["Item", "Candidates", "Solved", "Mean score", "Discrimination", "Median time"],
        [31, 14, 10, 15, 16, 14],
        [
            [
                item.title,
                str(item.people),
                str(item.solved),
                percent(item.difficulty),
                "–" if item.discrimination is None else f"{item.discrimination:.2f}",
                lasting(item.median_s),
            ]
            for item in results.items
        ],
    )
    yield heading("Candidates")
    yield from _people(results)


def _people(results: Results) -> Iterator[Block]:
    rows = [
        [
            person.name,
            person.email,
            reached(person.score, person.points, person.to_review),
            percent(person.share),
            lasting(person.seconds),
            str(person.noticed.pastes),
            percent(person.similarity),
            decided(person.decision, person.answers_pending),
        ]
        for person in results.people[:MOST_PEOPLE]
    ]
    head = ["Name", "Email", "Points", "Score", "Time", "Pastes", "Similarity", "Decision"]
    yield table(head, [22, 37, 15, 9, 11, 9, 12, 12], rows, left=2)
    if len(results.people) > MOST_PEOPLE:
        more = len(results.people) - MOST_PEOPLE
        yield {"kind": "text", "text": f"{more} more candidates are in the CSV file."}


def _again(again: Sequence[AppliedRejudge]) -> Iterator[Block]:
    if not again:
        return
    yield heading("Judged again")
    yield {"kind": "text", "text": JUDGED_AGAIN}
    rows = [[one.title, f"Version {one.version}", _applied(one), f"{one.changed} of {one.people}"] for one in again]
    yield table(["Challenge", "Judged with", "Applied", "Candidates affected"], [30, 14, 38, 18], rows, left=3)


def of_person(material: CandidateReportData, about: ReportHeader) -> dict[str, Any]:
    """Build the report about one candidate."""
    found = material.found
    under = ". ".join(part for part in (about.assessment, about.team, found.email) if part)
    titles = {item.position: item.title for item in found.items}
    blocks = [
        *_person(found, with_decision=not material.is_shared),
        *(() if material.is_shared else similar(material.alike, found.id)),
        *_rejudged(found, material.rejudged),
        *_notes(material.notes),
        *_compared(material.compared, titles),
        *(block for item in found.items for block in _item(item, material)),
        *talk(material.transcript, titles),
    ]
    return _report(about, found.name, found.name, under, blocks)


def _person(found: WatchedParticipation, *, with_decision: bool) -> Iterator[Block]:
    share, noticed = found.adjusted / found.points if found.points else 0.0, found.signals
    ended = found.finished_at
    took = lasting((ended - found.started_at).total_seconds()) if ended else "running"
    yield {
        "kind": "facts",
        "facts": [
            [percent(share), f"{found.adjusted:g} of {found.points} points"],
            [took, ENDS[found.finished_by] if found.finished_by else "not finished yet"],
            [str(noticed.pastes), "pastes"],
            [str(noticed.left), "times page left"],
            *([_decision(found)] if with_decision else []),
        ],
    }
    if found.answers_pending:
        yield {"kind": "text", "text": not_final(found.answers_pending)}
    yield heading("Items")
    yield table(
        ["Item", "Result", "Answers", "Time", "Points"],
        [42, 22, 11, 11, 14],
        [[_titled(item), _outcome(item), str(item.sent), _spent(item), _points(item)] for item in found.items],
        left=2,
    )
    facts = f"Characters pasted in total: {noticed.pasted:,}. Changes of device: {noticed.devices}."
    yield {"kind": "text", "text": f"Of several answers the best one counts. {facts} These are facts, not judgements."}


def _rejudged(found: WatchedParticipation, again: Sequence[RejudgedItem]) -> Iterator[Block]:
    if not again:
        return
    titles = {item.position: item.title for item in found.items}
    yield heading("Judged again")
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
    yield table(["Item", "Judged with", "Before", "After", "Applied", "Points"], [24, 12, 16, 16, 20, 12], rows, left=5)


def _notes(texts: Sequence[tuple[str, str]]) -> Iterator[Block]:
    if texts:
        yield heading("Notes")
    yield from ({"kind": "note", "author": author, "text": text} for author, text in texts)


def _item(item: WatchedItem, material: CandidateReportData) -> Iterator[Block]:
    place = item.position
    yield heading(f"{place}. {item.title}")
    if place in material.texts:
        yield from written(material.texts[place])
    elif place in material.quizzes:
        yield from answered(material.quizzes[place])
    elif place in material.answers:
        about = [f"Variant: {item.variant}."] if item.variant else []
        if item.lines_changed is not None:
            lines = "1 line" if item.lines_changed == 1 else f"{item.lines_changed} lines"
            about.append(f"Follow-up on the answer to the item before, with {lines} changed.")
        if about:
            yield {"kind": "text", "text": " ".join(about)}
        yield from judged(material.answers[place])
    else:
        yield {"kind": "text", "text": f"{_outcome(item)}."}


def _report(about: ReportHeader, name: str, title: str, under: str, blocks: Sequence[Block]) -> dict[str, Any]:
    full = f"{about.assessment}: {name}"
    made_at, logo = moment(about.made_at), logo_of_report(about.logo)
    return {"name": full, "title": title, "under": under, "made_at": made_at, "logo": logo, "blocks": blocks}


def _compared(compared: Sequence[ComparedItem], titles: dict[int, str]) -> Iterator[Block]:
    if not compared:
        return
    yield heading("Compared with other teams")
    rows = [
        [
            titles[one.position],
            f"Better than {percent(one.better_than)}",
            str(one.people),
            str(one.teams),
            lasting(one.median_s),
        ]
        for one in compared
    ]
    yield table(["Item", "Result", "Candidates", "Teams", "Median time"], [40, 22, 13, 10, 15], rows, left=2)
    text = "Compared with the finished candidates of all teams that share their results, by points from the tests."
    yield {"kind": "text", "text": text}


def _titled(item: WatchedItem) -> str:
    title = f"Follow-up: {item.title}" if item.is_follow_up else item.title
    about = ", ".join(part for part in (item.variant, "unproven" if item.unproven else "") if part)
    return f"{title} ({about})" if about else title


def _outcome(item: WatchedItem) -> str:
    if item.is_follow_up and not item.opened_at:
        return "Not opened"
    if item.verdict:
        return VERDICTS[item.verdict]
    if item.to_review:
        return "Still to review"
    return "Answered" if item.sent else "Nothing sent"


def _points(item: WatchedItem) -> str:
    return f"– of {item.points}" if item.to_review else f"{item.adjusted:g} of {item.points}"


def _verdict(verdict: str | None) -> str:
    return VERDICTS[verdict] if verdict else "Nothing"


def _applied(one: AppliedRejudge | RejudgedItem) -> str:
    return moment(one.applied_at) + (f", by {one.applied_by}" if one.applied_by else "")


def _decision(found: WatchedParticipation) -> list[str]:
    is_early = found.decision != "none" and found.answers_pending > 0
    return [decided(found.decision, 0), "points pending" if is_early else "decision"]


def _spent(item: WatchedItem) -> str:
    return lasting(item.spent_s) if item.opened_at else "–"
