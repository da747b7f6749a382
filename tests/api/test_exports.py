"""Files of the results: nothing in them is a formula, everything can be drawn, few are made at once."""

import csv
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api import aside, state
from api.aside import Aside
from api.errors import TooManyRequests
from api.reporting import routes
from api.reporting.schemas import ResultsFile
from tests.api.reporting_rig import ONE, Cohort
from tests.api.taking_rig import code_of, rig_in

anyio = pytest.mark.anyio
# Writings that no single font has, a name that is a formula, and what could end a line or a page number.
HARD = "Łukasz Ωμέγα Юрий שלום 李明 🙂"
FORMULA = '=HYPERLINK("http://example.org")'


@pytest.fixture
async def cohort(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cohort]:
    """Two people with names that are hard to write down."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        cohort = Cohort(rig)
        await cohort.takes(HARD, ONE, 4, email="eve@example.org")
        await cohort.takes(FORMULA, "# {nb} \t \u202e " + "x" * 5000, 2)
        yield cohort


async def file(cohort: Cohort, path: str, kind: str) -> httpx.Response:
    """A file of the assessment."""
    answer = await cohort.rig.owner.http.get(f"{cohort.rig.path}{path}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["content-disposition"].startswith('attachment; filename="gradus-')
    return answer


@anyio
async def test_a_spreadsheet_gets_a_line_a_person_and_no_formula(cohort: Cohort) -> None:
    body = (await file(cohort, "/results.csv", "text/csv")).content
    assert body.startswith(b"\xef\xbb\xbf"), "spreadsheets know by it that it is UTF-8"
    head, first, second = csv.reader(io.StringIO(body.decode("utf-8-sig")))
    line = dict(zip(head, first, strict=True))
    assert (line["name"], line["email"], line["score"], line["share"]) == (HARD, "eve@example.org", "10.0", "0.6667")
    assert (line["add-one: score"], line["add-one: verdict"], line["add-one: seconds"]) == ("10.0", "AC", "60")
    assert (line["adding: score"], line["adding: seconds"]) == ("0.0", "")
    assert second[head.index("name")] == f"'{FORMULA}"
    assert not [cell for row in (head, first, second) for cell in row if cell.startswith(("=", "+", "-", "@"))]


@anyio
async def test_a_program_gets_what_the_schema_says(cohort: Cohort) -> None:
    told = (await file(cohort, "/results.json", "application/json")).json()
    assert (told["format"], told["team"]) == ("gradus-results-1", "Tensor people")
    assert [person.name for person in ResultsFile.model_validate(told).results.people] == [HARD, FORMULA]
    assert told["results"] == await cohort.told()


@anyio
async def test_reports_are_drawn_whatever_stands_in_them(cohort: Cohort) -> None:
    whole = (await file(cohort, "/results.pdf", "application/pdf")).content
    assert whole.startswith(b"%PDF-")
    for person in (await cohort.told())["people"]:
        path = f"/participations/{person['participation_id']}/report.pdf"
        assert (await file(cohort, path, "application/pdf")).content.startswith(b"%PDF-")


@anyio
async def test_nobody_has_a_report_too(cohort: Cohort) -> None:
    await cohort.rig.assess()
    assert (await file(cohort, "/results.pdf", "application/pdf")).content.startswith(b"%PDF-")
    assert len((await file(cohort, "/results.csv", "text/csv")).content.splitlines()) == 1


@anyio
async def test_files_are_few(cohort: Cohort, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cohort.rig.service.state.reports, "_limit", 2)
    paths = ["/results.csv", "/results.json", "/results.csv", "/results.pdf"]
    answers = [await cohort.rig.owner.http.get(f"{cohort.rig.path}{path}") for path in paths]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    assert code_of(answers[2]) == (429, "too_many_requests")
    assert state.REPORTS_AN_HOUR >= 60


def block(**more: Any) -> bytes:
    """A report of one block."""
    report = {"name": "A", "title": "B", "under": "", "made_at": "today", "blocks": [more]}
    return json.dumps(report).encode()


@anyio
@pytest.mark.parametrize(
    "given",
    [
        block(kind="code", source=""),
        block(kind="code", source="x = 1\n" * 2000),
        block(kind="table", head=["A" * 300, "B"], widths=[1, 9], rows=[["W" * 2000, "\n" * 50]], left=1),
        block(kind="facts", facts=[["9" * 200, "words " * 50]] * 7),
        block(kind="bars", bars=[["all", 0]], under=""),
        block(kind="text", text="\ud83d\x00\x1b[31m" + "long" * 3000),
    ],
    ids=["no code", "long code", "narrow columns", "long figures", "nobody", "signs without a picture"],
)
async def test_nothing_is_too_odd_to_be_drawn(given: bytes) -> None:
    assert (await Aside().run(routes.PAPER, given, 60)).startswith(b"%PDF-")


@anyio
async def test_work_aside_inherits_nothing_and_its_failure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADUS_SMTP_URL", "secret")
    program = tmp_path / "program.py"
    program.write_text("import os, sys; print([n for n in os.environ if n.startswith('GRADUS')], sys.path[0] == '')")
    assert (await Aside().run(program, b"", 20)).split() == [b"[]", b"False"]
    program.write_text("raise SystemExit('it broke')")
    with pytest.raises(RuntimeError, match="it broke"):
        await Aside().run(program, b"", 20)


@anyio
async def test_whoever_comes_when_many_wait_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "WAITING", 0)
    with pytest.raises(TooManyRequests):
        await Aside().run(tmp_path / "none.py", b"", 1)
