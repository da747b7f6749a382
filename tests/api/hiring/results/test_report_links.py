"""Tests links with which people without an account read the report about a candidate: what they see, when links end, and what is
recorded.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.hiring.report_links.models import ReportLink, ReportLinkOpening
from tests.api.hiring.results.results_rig import Cohort, Sent
from tests.api.hiring.taking_rig import Rig, code_of, rig_in

pytestmark = pytest.mark.anyio
SOURCE = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def cohort(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cohort]:
    """A team with an open assessment."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        yield Cohort(rig)


async def linked(cohort: Cohort, later: Sent = (), **body: Any) -> tuple[str, str, str]:
    """Let a candidate finish, and share the report. Return its URL for the team, the link's id, and the link's token."""
    one = await cohort.takes("Eve", SOURCE, 4, later=later, email="eve@example.org")
    path = f"{cohort.rig.path}/participations/{one}"
    await cohort.rig.owner.http.post(f"{path}/notes", json={"text": "SECRET-NOTE"})
    await cohort.rig.owner.http.post(
        f"{path}/decisions", json={"decision": "reject", "reason": "SECRET-REASON", "seen": None}
    )
    made = await cohort.rig.owner.http.post(f"{path}/report-links", json=body)
    assert made.status_code == 201, made.text
    told = made.json()
    return path, told["id"], told["link"].rpartition("/report/")[2]


async def openings(rig: Rig, path: str) -> dict[str, Any]:
    """Return the newest link as the team sees it."""
    told: dict[str, Any] = (await rig.owner.http.get(f"{path}/report-links")).json()["items"][0]
    return told


async def test_anybody_with_the_link_reads_the_report_and_nothing_internal(cohort: Cohort) -> None:
    path, _, token = await linked(cohort)
    reader = cohort.rig.service.client()
    answer = await reader.get(f"/api/shared-reports/{token}", headers={"User-Agent": "Browser/1"})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["name"], told["adjusted"], told["points"]) == ("Eve", 10, 15)
    code = told["items"][0]
    assert (code["source"], code["verdict"], code["title"], code["later"]) == (SOURCE, "AC", "Add one", None)
    assert told["transcript"] == {"messages": [], "declaration": None, "tokens": 0}
    for secret in ("SECRET-NOTE", "SECRET-REASON", "reject", "eve@example.org", "draft"):
        assert secret not in answer.text, secret
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert answer.headers["Cache-Control"] == "no-store"
    paper = await reader.get(f"/api/shared-reports/{token}/report.pdf")
    assert paper.content.startswith(b"%PDF")
    assert paper.headers["X-Robots-Tag"] == "noindex, nofollow"
    link = await openings(cohort.rig, path)
    assert (link["opened"], [each["agent"] for each in link["openings"]]) == (1, ["Browser/1"])
    assert link["created_by"] == "ada"
    assert "link" not in link, "it is shown once"
    log = (await cohort.rig.owner.http.get(f"/api/teams/{cohort.rig.team}/log")).json()["items"]
    assert "report.share" in [each["action"] for each in log]


async def test_the_answer_that_counts_is_shown_beside_its_points(cohort: Cohort) -> None:
    _, _, token = await linked(cohort, later=[("raise ValueError", 0)])
    code = (await cohort.rig.service.client().get(f"/api/shared-reports/{token}")).json()["items"][0]
    assert (code["source"], code["answer"]["verdict"], code["verdict"]) == (SOURCE, "AC", "AC")
    assert code["later"]["verdict"] == "WA"
    assert code["later"]["sent_at"] > code["answer"]["created_at"]


async def test_a_link_ends(cohort: Cohort) -> None:
    path, link_id, token = await linked(cohort, days=2)
    reader = cohort.rig.service.client()
    cohort.rig.clock.go(days=2, seconds=-1)
    assert (await reader.get(f"/api/shared-reports/{token}")).status_code == 200
    cohort.rig.clock.go(seconds=1)
    assert code_of(await reader.get(f"/api/shared-reports/{token}")) == (410, "report_link_over")
    made = (await cohort.rig.owner.http.post(f"{path}/report-links", json={})).json()
    other = made["link"].rpartition("/report/")[2]
    revoked = await cohort.rig.owner.http.post(f"{path}/report-links/{made['id']}/revoke")
    assert revoked.json()["revoked_at"] is not None
    assert code_of(await reader.get(f"/api/shared-reports/{other}")) == (410, "report_link_over")
    assert code_of(await reader.get(f"/api/shared-reports/{other}/report.pdf")) == (410, "report_link_over")
    assert code_of(await reader.get("/api/shared-reports/report_wrong")) == (404, "report_link_not_found")
    assert (await openings(cohort.rig, path))["opened"] == 0, "what was refused is no opening"
    assert link_id != made["id"]


async def test_a_candidate_cannot_read_it_while_taking_the_same_items(cohort: Cohort) -> None:
    _, _, token = await linked(cohort)
    taker = await cohort.rig.start((await cohort.rig.invite(name="Ben"))["token"])
    for path in (f"/api/shared-reports/{token}", f"/api/shared-reports/{token}/report.pdf"):
        assert code_of(await taker.http.get(path)) == (403, "in_your_assessment")
    await taker.http.post("/api/participation/finish")
    assert (await taker.http.get(f"/api/shared-reports/{token}")).status_code == 200


async def test_links_go_with_the_candidate(cohort: Cohort) -> None:
    path, _, token = await linked(cohort)
    await cohort.rig.service.client().get(f"/api/shared-reports/{token}")
    assert (await cohort.rig.owner.http.delete(path)).status_code == 204
    assert (await cohort.rig.count(ReportLink), await cohort.rig.count(ReportLinkOpening)) == (0, 0)
    assert code_of(await cohort.rig.service.client().get(f"/api/shared-reports/{token}")) == (
        404,
        "report_link_not_found",
    )


@pytest.mark.parametrize("days", [0, 91, 1.5])
async def test_how_long_a_link_lasts_is_limited(cohort: Cohort, days: float) -> None:
    path, _, _ = await linked(cohort)
    assert (await cohort.rig.owner.http.post(f"{path}/report-links", json={"days": days})).status_code == 422
