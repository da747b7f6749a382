"""Computes badges: notable achievements, each with a reason and a date. They are computed from solves and quizzes on each
request, never stored. A badge states what somebody has achieved. None rewards coming back every day, or the number of attempts.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from api.content.catalogue.catalogue import Catalogue
from api.practice.leaderboards.models import Solve
from api.practice.profiles.activity import Achievements


@dataclass(frozen=True)
class Badge:
    """An achievement, and when it was reached."""

    id: str
    title: str
    reason: str
    at: datetime


Rule = Callable[[Achievements, Catalogue], Iterator[Badge]]


def badges_of(achievements: Achievements, catalogue: Catalogue) -> list[Badge]:
    """Return all badges that these achievements earn, the latest first."""
    earned = [badge for rule in RULES for badge in rule(achievements, catalogue)]
    return sorted(earned, key=lambda badge: (badge.at, badge.id), reverse=True)


def _counts(achievements: Achievements, catalogue: Catalogue) -> Iterator[Badge]:
    for count, title in ((1, "First step"), (10, "Ten"), (25, "Twenty-five"), (50, "Fifty")):
        if len(achievements.solves) >= count:
            solved = "a first challenge" if count == 1 else f"{count} challenges"
            yield Badge(f"solved-{count}", title, f"Solved {solved}.", achievements.solves[count - 1].solved_at)


def _sections(achievements: Achievements, catalogue: Catalogue) -> Iterator[Badge]:
    sections: dict[str, list[str]] = {}
    for each in catalogue.challenges:
        sections.setdefault(each.package.info.section, []).append(each.package.slug)
    for section, slugs in sections.items():
        if len(slugs) > 1 and (at := _all_solved(achievements, slugs)):
            reason = f"Solved all {len(slugs)} challenges of this section."
            yield Badge(f"section-{section}", f"All of {section}", reason, at)
    firsts = [solve for solve in achievements.solves if _new_section(solve, achievements.solves)]
    if len(sections) > 1 and sections.keys() <= {solve.section for solve in firsts}:
        reason = f"Solved something in each of the {len(sections)} sections."
        yield Badge("every-section", "Everywhere", reason, max(solve.solved_at for solve in firsts))


def _tracks(achievements: Achievements, catalogue: Catalogue) -> Iterator[Badge]:
    for track in catalogue.tracks.values():
        slugs = catalogue.challenges_of(track)
        if slugs and (at := _all_solved(achievements, slugs)):
            reason = f"Solved every challenge of the track {track.info.title}."
            yield Badge(f"track-{track.id}", f"To the end: {track.info.title}", reason, at)


def _attempts(achievements: Achievements, catalogue: Catalogue) -> Iterator[Badge]:
    for solve in achievements.solves:
        if solve.tries == 1 and _level(solve, catalogue) == "hard":
            reason = f"Solved a hard challenge, {_title(solve, catalogue)}, on the first try."
            yield Badge("hard-at-once", "First try", reason, solve.solved_at)
            break


def _firsts(achievements: Achievements, catalogue: Catalogue) -> Iterator[Badge]:
    if first := next((solve for solve in achievements.solves if solve.slug in achievements.firsts), None):
        reason = f"Solved {_title(first, catalogue)} before everyone else."
        yield Badge("first-of-all", "First solver", reason, first.solved_at)


def _quizzes(achievements: Achievements, catalogue: Catalogue) -> Iterator[Badge]:
    for count, title in ((1, "Nothing missed"), (10, "Ten perfect quizzes")):
        if len(achievements.quizzes) >= count:
            what = "a quiz" if count == 1 else f"the quizzes of {count} topics"
            at = achievements.quizzes[count - 1].ended_at
            assert at is not None, "only quizzes that ended are counted"
            yield Badge(f"quizzes-{count}", title, f"Full marks in {what}.", at)


RULES: tuple[Rule, ...] = (_counts, _sections, _tracks, _attempts, _firsts, _quizzes)


def _all_solved(achievements: Achievements, slugs: Collection[str]) -> datetime | None:
    """Return when the account solved the last of these challenges, or None if it has not solved all of them."""
    solved = {solve.slug: solve.solved_at for solve in achievements.solves}
    return max(solved[slug] for slug in slugs) if all(slug in solved for slug in slugs) else None


def _new_section(solve: Solve, solves: Sequence[Solve]) -> bool:
    return next(each for each in solves if each.section == solve.section) is solve


def _level(solve: Solve, catalogue: Catalogue) -> str:
    challenge = catalogue.by_slug.get(solve.slug)
    return challenge.package.info.difficulty if challenge else ""


def _title(solve: Solve, catalogue: Catalogue) -> str:
    challenge = catalogue.by_slug.get(solve.slug)
    return challenge.package.info.title if challenge else solve.slug
