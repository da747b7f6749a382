"""Tests the files with results. A spreadsheet program must not evaluate any cell as a formula, PDFs can contain every
character, and the number of files per hour is limited.
"""

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import select

from api.hiring.results import report_rate_limit, routes
from api.hiring.results.downloads import attachment, csv_of
from api.hiring.results.schemas import Results, ResultsFile
from api.judging.submissions.models import Judging
from api.kit import subprocess_pool
from api.kit.errors import TooManyRequests
from api.kit.subprocess_pool import SubprocessPool
from grader.contract.job import Verdict
from tests.api.hiring.results.results_rig import ONE, Cohort
from tests.api.hiring.results.test_pdf import read
from tests.api.hiring.taking_rig import Taker, code_of, rig_in
from tests.api.running_service import WITHIN_S
from tests.api.scripted_node import judgement_of

anyio = pytest.mark.anyio
# HARD is a name in several scripts, which no single font contains. FORMULA is a name that a spreadsheet program would evaluate.
# The answers of the candidates in `cohort` also contain text that could break a line, or that the PDF library fpdf would
# replace by the number of pages.
HARD = "Łukasz Ωμέγα Юрий שלום 李明 🙂"
FORMULA = '=HYPERLINK("http://example.org")'


@pytest.fixture
async def cohort(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cohort]:
    """Two candidates whose names and answers are difficult to write to a file."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        cohort = Cohort(rig)
        await cohort.takes(HARD, ONE, 4, email="eve@example.org")
        await cohort.takes(FORMULA, "# {nb} \t \u202e " + "x" * 5000, 2)
        yield cohort


async def file(cohort: Cohort, path: str, kind: str) -> httpx.Response:
    """Download a file of the assessment, check its headers, and return the response."""
    answer = await cohort.rig.owner.http.get(f"{cohort.rig.path}{path}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["content-disposition"].startswith('attachment; filename="gradus-')
    return answer


def test_files_are_named_after_the_candidate_and_the_assessment() -> None:
    assert attachment("0123456789", "pdf", "Zoë Łukasz-Öst", "First round (C++)") == (
        'attachment; filename="gradus-zoe-lukasz-ost-first-round-c.pdf"'
    )
    assert attachment("0123456789", "pdf", "李明", '"\r\nX: 1/../..') == 'attachment; filename="gradus-x-1.pdf"'
    assert attachment("0123456789", "csv", "李明", "") == 'attachment; filename="gradus-01234567.csv"'
    assert len(attachment("0123456789", "pdf", "x" * 500, "y" * 500)) < 160


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
    assert len(set(head)) == len(head)
    assert not [cell for row in (head, first, second) for cell in row if cell.startswith(("=", "+", "-", "@"))]


@anyio
async def test_a_challenge_and_a_quiz_of_one_name_have_columns_of_their_own(cohort: Cohort) -> None:
    results = Results.model_validate(await cohort.told())
    twins = [item.model_copy(update={"name": "twin"}) for item in results.items]
    person = results.people[0]
    of_person = [item.model_copy(update={"name": "twin"}) for item in person.items]
    people = [person.model_copy(update={"items": of_person})]
    text = csv_of(results.model_copy(update={"items": twins, "people": people}))
    head, line = csv.reader(io.StringIO(text))
    assert len(set(head)) == len(head)
    cells = dict(zip(head, line, strict=True))
    assert (cells["challenge twin: score"], cells["quiz twin: score"]) == ("10.0", "0.0")


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
async def test_paper_tells_names_and_tests_as_they_are(cohort: Cohort, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, name, drawn = cohort.rig, "ML engineer, mid-level (C++)", list[bytes]()
    taker = Taker(rig.service.client())
    await taker.start((await rig.invite())["token"], name=name)
    await taker.open()
    answer = await taker.send("x = 1")
    node = await rig.service.node()
    await node.ready()
    job = await node.take()
    passed, failed, *rest = judgement_of(job).tests
    tests = (
        msgspec.structs.replace(passed, title="Look at `q.mT`."),
        msgspec.structs.replace(failed, verdict=Verdict.WA, title="`k` is kept."),
        *rest,
    )
    await node.judge(job, Verdict.WA, tests=tests, score=1, environment={"isolation": "container"})
    ended = (await taker.http.post("/api/participation/finish")).json()
    row = select(Judging.status).where(Judging.submission_id == answer.json()["id"])
    async with asyncio.timeout(WITHIN_S), rig.service.state.db.read() as session:
        while await session.scalar(row) != "judged":
            await asyncio.sleep(0.02)
            await session.rollback()
    run = rig.service.state.subprocess_pool.run

    async def seen(program: Any, given: bytes, limit_s: float) -> bytes:
        drawn.append(given)
        return await run(program, given, limit_s)

    monkeypatch.setattr(rig.service.state.subprocess_pool, "run", seen)
    await file(cohort, f"/participations/{ended['id']}/report.pdf", "application/pdf")
    blocks = json.loads(drawn[0])
    text = read(blocks["title"], *blocks["blocks"])
    assert name in text
    assert passed.id.removeprefix("test_").replace("_", " ") in text
    assert "k is kept." in text
    assert "It ran in a container of its own." in text
    assert "q.mT" not in text, "what a passed test would have told to revisit"
    assert "`" not in text


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
    assert report_rate_limit.REPORTS_PER_HOUR >= 60


def block(**more: Any) -> bytes:
    """Return the input of a report whose only content is this block."""
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
    assert (await SubprocessPool().run(routes.PAPER, given, 60)).startswith(b"%PDF-")


@anyio
async def test_work_aside_inherits_nothing_and_its_failure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADUS_SMTP_URL", "secret")
    program = tmp_path / "program.py"
    program.write_text("import os, sys; print([n for n in os.environ if n.startswith('GRADUS')], sys.path[0] == '')")
    assert (await SubprocessPool().run(program, b"", 20)).split() == [b"[]", b"False"]
    program.write_text("raise SystemExit('it broke')")
    with pytest.raises(RuntimeError, match="it broke"):
        await SubprocessPool().run(program, b"", 20)


@anyio
async def test_whoever_comes_when_many_wait_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess_pool, "WAITING", 0)
    with pytest.raises(TooManyRequests):
        await SubprocessPool().run(tmp_path / "none.py", b"", 1)
