"""Tests that an assessment keeps the versions of its challenges that it had when the first candidate started, even if the
challenges' folders change. A version is identified by its digest.
"""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.hiring.participations.deadline_sweeper import sweep_versions
from grader.content.package_cache import PackageCache
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.taking_rig import Rig, rig_in

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess(verdicts="at_once")
        yield rig


def rewrite(rig: Rig, *, title: str = "Add two") -> None:
    """Rewrite the challenge with this title, or delete it if the title is empty. Then reload the catalogue."""
    folder = rig.service.settings.challenges_dir / "basics" / "add-one"
    shutil.rmtree(folder)
    if title:
        write_challenge(folder.parent.parent, title=title)
    rig.service.state.store.reload()


async def test_a_running_assessment_is_judged_by_what_was_pinned(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    before = (await taker.open())["challenge"]
    rewrite(rig)
    assert (await taker.open())["challenge"] == before
    assert (await taker.state())["sections"][0]["items"][0]["title"] == "Add one"
    ada = await rig.service.person("bea")
    node = await rig.service.node()
    sent = (await taker.send(RIGHT)).json()
    await node.ready(other=2)
    job = await node.take()
    assert (job.digest, job.team) == (before["digest"], "")
    package = PackageCache(rig.service.settings.kept).get(job.digest)
    assert package is not None
    assert package.package.info.title == "Add one"
    await node.judge(job)
    assert (await ada.http.get("/api/challenges/add-one")).json()["title"] == "Add two"
    await ada.send()
    assert (await node.take()).digest not in ("", before["digest"])
    shown = (await taker.http.get(f"/api/participation/submissions/{sent['id']}")).json()
    assert (shown["verdict"], shown["digest"]) == ("AC", before["digest"])


async def test_whoever_starts_later_gets_the_same_version(rig: Rig) -> None:
    first = (await (await rig.start((await rig.invite())["token"])).open())["challenge"]
    rewrite(rig, title="")
    later = await (await rig.start((await rig.invite())["token"])).open()
    assert later["challenge"] == first


async def test_what_nobody_needs_is_swept(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    kept = rig.service.settings.kept
    for title in ("Two", "Three"):
        rewrite(rig, title=title)
    assert len(list(kept.iterdir())) == 3
    assert await sweep_versions(rig.service.state.db, rig.service.state.store, -1) == 1
    assert (await taker.open())["challenge"]["title"] == "Add one"
    assert (kept.stat().st_mode & 0o777) == 0o700


def test_only_digests_name_versions(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    (tmp_path / f"{'0' * 64}.json").write_text("{}")
    assert PackageCache(tmp_path).get("../x") is None
    assert PackageCache(tmp_path).get("x") is None
    assert PackageCache(tmp_path).get("0" * 64) is None
