"""Tests that every line of the catalogue is covered, and that the table in SECURITY.md matches the programs."""

from tests.attacks.catalogue import GOLD, GROUPS, elsewhere, lines, tried
from tests.attacks.table import SECURITY, written

LEAST = 180


def test_every_line_has_a_program_or_a_reason() -> None:
    covered = {program.line for program in tried()}
    missing = [line for line in lines() if line not in covered and line not in elsewhere()]
    assert missing == []


def test_no_reason_is_given_for_a_line_that_has_a_program() -> None:
    assert [line for line in elsewhere() if line in {program.line for program in tried()}] == []


def test_programs_belong_to_lines_that_exist() -> None:
    known = set(lines())
    assert [p.name for p in tried() if GROUPS[p.line[0]].lines and p.line not in known] == []


def test_gold_lines_and_most_of_the_rest_are_programs() -> None:
    covered = {program.line for program in tried()}
    assert [line for line in GOLD if line not in covered] == []
    assert len(covered & set(lines())) >= LEAST


def test_security_md_lists_what_is_tried() -> None:
    assert written(SECURITY.read_text(encoding="utf-8")) == SECURITY.read_text(encoding="utf-8"), (
        "run: python -m tests.attacks --write"
    )
