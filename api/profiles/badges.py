"""Badges: deeds that are worth a mention, each with its reason and its day. Computed; nobody awards them."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from api.catalogue.service import Catalogue
from api.profiles.deeds import DAY, Deeds, day_of
from api.standings.models import Solve

IN_A_ROW, STAYED = 7, 5


@dataclass(frozen=True)
class Badge:
    """A deed. `at`: when it was done."""

    id: str
    title: str
    reason: str
    at: datetime


Rule = Callable[[Deeds, Catalogue], Iterator[Badge]]


def badges_of(deeds: Deeds, catalogue: Catalogue) -> list[Badge]:
    """Every badge that these deeds are worth, the latest first."""
    earned = [badge for rule in RULES for badge in rule(deeds, catalogue)]
    return sorted(earned, key=lambda badge: (badge.at, badge.id), reverse=True)


def _counts(deeds: Deeds, catalogue: Catalogue) -> Iterator[Badge]:
    for count, title in ((1, "First step"), (10, "Ten"), (25, "Twenty-five"), (50, "Fifty")):
        if len(deeds.solves) >= count:
            solved = "a first challenge" if count == 1 else f"{count} challenges"
            yield Badge(f"solved-{count}", title, f"Solved {solved}.", deeds.solves[count - 1].solved_at)


def _sections(deeds: Deeds, catalogue: Catalogue) -> Iterator[Badge]:
    sections: dict[str, list[str]] = {}
    for each in catalogue.challenges:
        sections.setdefault(each.package.info.section, []).append(each.package.slug)
    for section, slugs in sections.items():
        if len(slugs) > 1 and (at := _all_solved(deeds, slugs)):
            reason = f"Solved all {len(slugs)} challenges of this section."
            yield Badge(f"section-{section}", f"All of {section}", reason, at)
    firsts = [solve for solve in deeds.solves if _new_section(solve, deeds.solves)]
    if len(sections) > 1 and sections.keys() <= {solve.section for solve in firsts}:
        reason = f"Solved something in each of the {len(sections)} sections."
        yield Badge("every-section", "Everywhere", reason, max(solve.solved_at for solve in firsts))


def _tracks(deeds: Deeds, catalogue: Catalogue) -> Iterator[Badge]:
    for track in catalogue.tracks.values():
        slugs = {slug for name in track.topics for slug in catalogue.topics[name].info.challenges}
        if slugs and (at := _all_solved(deeds, slugs)):
            reason = f"Solved every challenge of the track {track.info.title}."
            yield Badge(f"track-{track.id}", f"To the end: {track.info.title}", reason, at)


def _attempts(deeds: Deeds, catalogue: Catalogue) -> Iterator[Badge]:
    for solve in deeds.solves:
        if solve.tries == 1 and _level(solve, catalogue) == "hard":
            reason = f"Solved a hard challenge, {_title(solve, catalogue)}, with the first answer."
            yield Badge("hard-at-once", "At the first attempt", reason, solve.solved_at)
            break
    if stayed := next((solve for solve in deeds.solves if solve.tries >= STAYED), None):
        reason = f"Solved {_title(stayed, catalogue)} with answer number {stayed.tries}."
        yield Badge("stayed", "Did not give up", reason, stayed.solved_at)


def _firsts(deeds: Deeds, catalogue: Catalogue) -> Iterator[Badge]:
    if first := next((solve for solve in deeds.solves if solve.slug in deeds.firsts), None):
        reason = f"Solved {_title(first, catalogue)} before anybody else here."
        yield Badge("first-of-all", "First of all", reason, first.solved_at)


def _days(deeds: Deeds, catalogue: Catalogue) -> Iterator[Badge]:
    """A solve on each of seven days in a row."""
    last, count = None, 0
    for solve in deeds.solves:
        day = day_of(solve.solved_at)
        if day != last:
            count = count + 1 if last is not None and day - last == DAY else 1
            last = day
        if count == IN_A_ROW:
            reason = "Solved something on each of seven days in a row."
            yield Badge("seven-days", "Seven days", reason, solve.solved_at)
            return


def _quizzes(deeds: Deeds, catalogue: Catalogue) -> Iterator[Badge]:
    for count, title in ((1, "Nothing missed"), (10, "Ten times nothing missed")):
        if len(deeds.quizzes) >= count:
            what = "a quiz" if count == 1 else f"the quizzes of {count} topics"
            at = deeds.quizzes[count - 1].ended_at
            assert at is not None, "only quizzes that ended are counted"
            yield Badge(f"quizzes-{count}", title, f"Full marks in {what}.", at)


RULES: tuple[Rule, ...] = (_counts, _sections, _tracks, _attempts, _firsts, _days, _quizzes)


def _all_solved(deeds: Deeds, slugs: Collection[str]) -> datetime | None:
    """When the last of these was solved; None while one is missing."""
    solved = {solve.slug: solve.solved_at for solve in deeds.solves}
    return max(solved[slug] for slug in slugs) if all(slug in solved for slug in slugs) else None


def _new_section(solve: Solve, solves: Sequence[Solve]) -> bool:
    return next(each for each in solves if each.section == solve.section) is solve


def _level(solve: Solve, catalogue: Catalogue) -> str:
    challenge = catalogue.by_slug.get(solve.slug)
    return challenge.package.info.difficulty if challenge else ""


def _title(solve: Solve, catalogue: Catalogue) -> str:
    challenge = catalogue.by_slug.get(solve.slug)
    return challenge.package.info.title if challenge else solve.slug
