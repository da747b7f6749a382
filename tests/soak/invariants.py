"""Checks what must be true after any number of faults. Each check names the submissions that violate it.

The checks compare three sources: the responses that clients received (the book), what the API returns now, and the rows of the
database, which also recorded every change of a judging (the diary). A check's docstring says what must be true.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.soak.book import Sent


@dataclass(frozen=True)
class Row:
    """A judging, as one row of the database."""

    submission: str
    number: int
    status: str
    superseded: bool
    verdict: str | None
    message: str


@dataclass(frozen=True)
class Step:
    """A change of a judging: of its status (from `old` to `new`), its verdict or its judgement. `owner` is the token of the
    attempt that held the lease before the change. If the change stored a judgement, `applied` is the token in this judgement.
    """

    submission: str
    judging: str
    old: str
    new: str
    owner: str | None
    applied: str | None
    old_verdict: str | None
    new_verdict: str | None


@dataclass(frozen=True)
class Evidence:
    """The input of the checks. `submissions` holds (id, idempotency key) of each submission in the database. `views` holds the
    API's response for each submission id.
    """

    sent: list[Sent]
    views: Mapping[str, Mapping[str, Any]]
    submissions: list[tuple[str, str]]
    rows: list[Row]
    steps: list[Step]
    may_be_killed: frozenset[str]
    kills: int
    rejudged: frozenset[str]
    integrity: str


def violations(evidence: Evidence) -> list[str]:
    """Run all checks. Return the violations, each with the submissions concerned. The list is empty if there are none."""
    checks = (
        taken_in,
        known,
        duplicates,
        stored_once,
        one_verdict,
        right_verdict,
        told_right,
        applied_once,
        applied_by_owner,
    )
    found = [line for check in checks for line in check(evidence)]
    if evidence.integrity != "ok":
        found.append(f"the database is damaged: {evidence.integrity}")
    return found


def _named(sentence: str, sent: Iterable[Sent | str]) -> list[str]:
    names = [each if isinstance(each, str) else f"{each.number} ({each.id}, {each.answer.name})" for each in sent]
    return (
        [f"{sentence}: {', '.join(names[:12])}{f' and {len(names) - 12} more' if names[12:] else ''}"] if names else []
    )


def taken_in(evidence: Evidence) -> list[str]:
    """Check that the service eventually accepted every submission."""
    return _named("never taken in", (sent for sent in evidence.sent if not sent.ids))


def known(evidence: Evidence) -> list[str]:
    """Check that every id that a client received exists in the API and in the database."""
    stored = {identifier for identifier, _ in evidence.submissions}
    missing = [
        sent for sent in evidence.sent if any(each not in stored or not evidence.views.get(each) for each in sent.ids)
    ]
    return _named("a client was told of it, and it is gone", missing)


def duplicates(evidence: Evidence) -> list[str]:
    """Check that all responses to a submission that was sent several times contained the same id."""
    return _named("sent again and taken for another", (sent for sent in evidence.sent if len(set(sent.ids)) > 1))


def stored_once(evidence: Evidence) -> list[str]:
    """Check that no idempotency key has more than one row, and that every row belongs to a submission that a client sent."""
    keys = Counter(key for _, key in evidence.submissions)
    sent = {each.key for each in evidence.sent}
    twice = _named("stored more than once", (each for each in evidence.sent if keys[each.key] > 1))
    return twice + _named("stored, but nobody sent it", (key for key in keys if key not in sent))


def one_verdict(evidence: Evidence) -> list[str]:
    """Check that each submission has exactly one current judging, and that this judging has a verdict. If the soak itself
    rejudged the submission, it must also have one superseded judging, and otherwise none.
    """
    rows = defaultdict(list)
    for row in evidence.rows:
        rows[row.submission].append(row)
    wrong = []
    for sent in (each for each in evidence.sent if each.ids):
        current = [row for row in rows[sent.ids[0]] if not row.superseded]
        expected = 2 if sent.ids[0] in evidence.rejudged else 1
        ended = [row for row in current if row.status == "judged" and row.verdict]
        if len(ended) != 1 or len(current) != 1 or len(rows[sent.ids[0]]) != expected:
            wrong.append(sent)
    return _named("did not end with exactly one verdict", wrong)


def right_verdict(evidence: Evidence) -> list[str]:
    """Check that the verdict is the same as without faults.

    There is one exception. If a fault killed the process that runs an answer, the answer's first judging may end with RE,
    because the service cannot tell this kill from a crash. Each kill may cause at most one such RE.
    """
    by_id = {sent.ids[0]: sent for sent in evidence.sent if sent.ids}
    wrong, killed = [], set()
    for row in evidence.rows:
        sent = by_id.get(row.submission)
        if sent is None or row.verdict in (None, sent.answer.verdict):
            continue
        if row.number == 1 and row.verdict == "RE" and row.submission in evidence.may_be_killed:
            killed.add(row.submission)
        else:
            wrong.append(f"{sent.number} ({row.submission}, {sent.answer.name}) {row.verdict}: {row.message[:120]}")
    found = _named("another verdict than without faults", wrong)
    if len(killed) > evidence.kills:
        found += _named(f"{evidence.kills} candidates were killed, but more ended so", sorted(killed))
    return found


def told_right(evidence: Evidence) -> list[str]:
    """Check that the clients and the API agree with the database. A client must have read the verdict of the first judging, and
    the API must return the verdict of the current judging.
    """
    current = {row.submission: row.verdict for row in evidence.rows if not row.superseded}
    first = {row.submission: row.verdict for row in evidence.rows if row.number == 1}
    wrong = [
        sent
        for sent in evidence.sent
        if sent.ids
        and not (
            sent.verdict == first.get(sent.ids[0])
            and (evidence.views.get(sent.ids[0]) or {}).get("verdict") == current.get(sent.ids[0])
        )
    ]
    return _named("client, API and SQL tell different verdicts (or none)", wrong)


def applied_once(evidence: Evidence) -> list[str]:
    """Check that a judging is decided only once: its judgement is never replaced, and its status stays `judged`."""
    decided = Counter(
        step.judging for step in evidence.steps if step.applied or (step.new_verdict and not step.old_verdict)
    )
    wrong = {step.submission for step in evidence.steps if decided[step.judging] > 1 or step.old == "judged"}
    return _named("decided more than once", sorted(wrong))


def applied_by_owner(evidence: Evidence) -> list[str]:
    """Check that a judgement is only stored if it comes from the attempt that held the job's lease at that moment."""
    wrong = {
        step.submission
        for step in evidence.steps
        if step.applied and (step.old != "judging" or step.applied != step.owner)
    }
    return _named("decided by an attempt that did not own it", sorted(wrong))
