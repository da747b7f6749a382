"""Tests that an open assessment keeps the versions of its challenges with which it was opened, even if the challenges change or
are deleted. Also tests that a challenge that an assessment uses can be archived only after a confirmation.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.hiring.participations.deadline_sweeper import sweep_versions
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.assessments.test_versions import rewrite
from tests.api.hiring.authoring.authoring_rig import Author, files_in, good
from tests.api.hiring.taking_rig import Rig, code_of, rig_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio
SECTIONS: list[dict[str, Any]] = [
    {"key": "code", "title": "Code", "items": [
        {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": "own/add-one"}]}]}
]  # fmt: skip


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team without an assessment."""
    async with rig_in(home, monkeypatch) as rig:
        yield rig


async def published(rig: Rig, home: Path) -> tuple[Author, ScriptedNode, str]:
    """Publish a challenge of the team's own. Return its author, the node that ran the gate, and the digest of the version."""
    author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
    await node.ready()
    await author.make()
    digest: str = (await author.publish(node, files_in(home)))["published"]["digest"]
    return author, node, digest


async def test_archiving_asks_and_nobody_who_is_invited_notices(rig: Rig, home: Path) -> None:
    author, _, digest = await published(rig, home)
    good(await rig.owner.http.post(f"{author.one}/archive"))
    good(await rig.owner.http.post(f"{author.one}/restore"))
    await rig.assess(sections=SECTIONS)
    invited = await rig.invite()
    for refused in (await rig.owner.http.post(f"{author.one}/archive"), await rig.owner.http.delete(author.one)):
        assert code_of(refused) == (409, "challenge_in_use")
        assert [(each["field"], each["message"]) for each in refused.json()["fields"]] == [
            (rig.assessment, "First round (open)")
        ]
    good(await rig.owner.http.post(f"{author.one}/archive?anyway=true"))
    shown = good(await rig.owner.http.get(rig.path))
    assert shown["problems"] == []
    taker = await rig.start(invited["token"])
    opened = await taker.open()
    assert (opened["challenge"]["title"], opened["challenge"]["digest"]) == ("Add one, ours", digest)
    # The plan can still be saved although it contains an archived challenge. This request changes only the minutes.
    wider = {**shown["plan"], "minutes": 50}
    saved = await rig.owner.http.put(f"{rig.path}/plan", json={"version": shown["version"], "plan": wider})
    assert (saved.status_code, saved.json()["problems"]) == (200, [])
    later = await (await rig.start((await rig.invite(email="b@example.org"))["token"])).open()
    assert later["challenge"]["digest"] == digest
    assert (await rig.owner.http.delete(f"{author.one}?anyway=true")).status_code == 204
    await sweep_versions(rig.service.state.db, rig.service.state.store, older_than_s=-1)
    last = await (await rig.start((await rig.invite(email="c@example.org"))["token"])).open()
    assert last["challenge"]["digest"] == digest


async def test_restoring_what_was_published_makes_it_choosable_again(rig: Rig, home: Path) -> None:
    author, _, digest = await published(rig, home)
    good(await rig.owner.http.post(f"{author.one}/archive"))
    back = good(await rig.owner.http.post(f"{author.one}/restore"))
    assert (back["state"], back["published"]["digest"]) == ("published", digest)
    await rig.assess(sections=SECTIONS)


async def test_an_assessment_that_was_opened_keeps_its_versions_before_anybody_starts(rig: Rig) -> None:
    await rig.assess()
    before = rig.service.state.store.catalogue.get("add-one").package.digest
    rewrite(rig)
    await sweep_versions(rig.service.state.db, rig.service.state.store, older_than_s=-1)
    assert (await (await rig.start((await rig.invite())["token"])).open())["challenge"]["digest"] == before
    # Deleting the challenge's folder changes nothing. But when the assessment is opened again, it gets the version that the
    # service has at that time.
    rewrite(rig, title="")
    gone = await (await rig.start((await rig.invite(email="b@example.org"))["token"])).open()
    assert gone["challenge"]["digest"] == before
    write_challenge(rig.service.settings.challenges_dir, title="Add three")
    rig.service.state.store.reload()
    good(await rig.owner.http.post(f"{rig.path}/open"))
    present = rig.service.state.store.catalogue.get("add-one").package.digest
    new = await (await rig.start((await rig.invite(email="c@example.org"))["token"])).open()
    assert (new["challenge"]["digest"], present != before) == (present, True)
