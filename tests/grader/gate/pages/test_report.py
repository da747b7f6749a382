"""Checks the gate's reports: the totals, the table, the JSON, and an HTML page on which no text is read as markup."""

import io
import json
from pathlib import Path

from rich.console import Console

from grader.content.authoring.finding import Finding
from grader.gate.report.html import page
from grader.gate.report.record import MutantResult, Record, SaboteurResult, overall
from grader.gate.report.table import report, show, totals, write_json

EVIL = "<script>alert('x')</script>[red]&\"</b>"


def mutant(end: str, number: int = 1) -> MutantResult:
    return MutantResult(f"sign-{number}", "sign", number, f"-{EVIL}\n+b", end, EVIL)  # type: ignore[arg-type]


GOOD = Record(
    "attention", title=EVIL, section="a", topics=("t",), tests=12, accepted=2, wrong=6,
    saboteurs=(
        SaboteurResult("zeros", EVIL, "rejected", "test_a"),
        SaboteurResult("ones", "…", "idle"),
        SaboteurResult("half", "…", "excused", EVIL),
    ),
    mutants=(*(mutant("killed", n) for n in range(19)), mutant("survived", 19), mutant("excused", 20)),
    judgings=100, seconds=4.0,
)  # fmt: skip
BAD = Record("loop", findings=(Finding(EVIL, f"accepts {EVIL}"),), tests=3, mutants=(mutant("survived"),), seconds=1.0)


def test_rates_leave_out_what_is_excused() -> None:
    assert (GOOD.applied, GOOD.rejected, GOOD.made, GOOD.killed) == (2, 1, 20, 19)
    assert GOOD.rate == 0.95
    assert overall([GOOD, BAD]) == 19 / 21
    assert Record("empty").rate == 1.0


def test_totals_are_sums() -> None:
    sums = totals([GOOD, BAD, Record("t", "topic", cached=True, seconds=9.0)])
    assert (sums.challenges, sums.topics, sums.items, sums.tests, sums.wrong) == (2, 1, 3, 15, 6)
    assert (sums.mutants, sums.mutants_killed, sums.mutants_excused, sums.findings) == (21, 19, 1, 1)
    assert (sums.kill_rate, sums.seconds) == (0.9048, 5.0)


def test_the_page_escapes_every_text() -> None:
    made = page(report([GOOD, BAD]))
    assert "<script" not in made
    assert "</b>" not in made
    assert made.count("&lt;script&gt;") >= 5
    assert "prefers-color-scheme: dark" in made
    assert "src=" not in made
    assert "http" not in made


def test_the_table_shows_text_as_it_is_and_names_survivors(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=160, force_terminal=False)
    show(console, [GOOD, BAD], whole=True)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert f"loop: {EVIL}: accepts {EVIL}" in shown
    assert "mutant sign-19 of line 19 survived" in shown
    assert f"-{EVIL}" in shown
    assert "below 95%" in shown
    assert "90.5%" in shown


def test_the_json_has_everything(tmp_path: Path) -> None:
    write_json(report([GOOD, BAD]), tmp_path / "deep" / "report.json")
    read = json.loads((tmp_path / "deep" / "report.json").read_text())
    assert all(record.keys() == set(Record.__struct_fields__) for record in read["records"])
    assert read["totals"]["mutants"] == 21
    assert [record["slug"] for record in read["records"]] == ["attention", "loop"]
    assert read["records"][0]["mutants"][0]["end"] == "killed"
